// tessera-convert: the surfaces of STEP and IGES files as Bézier patches for bezier. A program of
// its own, in C++, since it alone needs Open CASCADE, which reads the files and gives each face's
// surface as a B-spline; the patches are cut from that by scenes/spline.c.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>

#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <Geom2d_Curve.hxx>
#include <GeomConvert.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Geom_OffsetCurve.hxx>
#include <Geom_OffsetSurface.hxx>
#include <Geom_RectangularTrimmedSurface.hxx>
#include <Geom_SweptSurface.hxx>
#include <Geom_TrimmedCurve.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Standard_Failure.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Shape.hxx>

#include "cli/convert.hpp"

extern "C" {
#include "cli/size.h"
#include "images/output.h"
#include "scenes/spline.h"
}

// A part of a surface, from the first to the second number in u, and from the third in v.
struct Box {
    double u[2], v[2];
};

// What bounds a face in one parameter, within the surface. A turn that is full but for rounding is
// that of the surface.
static void find_range(double range[2], const double whole[2], bool is_periodic)
{
    const double full = (1 - 1e-9) * (whole[1] - whole[0]);
    if (!is_periodic) {
        range[0] = std::max(range[0], whole[0]);
        range[1] = std::min(range[1], whole[1]);
    } else if (range[1] - range[0] >= full) {
        std::copy(whole, whole + 2, range);
    }
}

static Box find_box(const TopoDS_Face &face, const Handle(Geom_Surface) & surface)
{
    Box box, whole;
    BRepTools::UVBounds(face, box.u[0], box.u[1], box.v[0], box.v[1]);
    surface->Bounds(whole.u[0], whole.u[1], whole.v[0], whole.v[1]);
    find_range(box.u, whole.u, surface->IsUPeriodic());
    find_range(box.v, whole.v, surface->IsVPeriodic());
    return box;
}

// Whether an edge of the face runs along a side of the box.
static bool is_along_side(const TopoDS_Edge &edge, const TopoDS_Face &face, const Box &box)
{
    const int samples = 9;
    const double share = 1e-6; // of the box, which nobody sees
    double first, last;
    const Handle(Geom2d_Curve) curve = BRep_Tool::CurveOnSurface(edge, face, first, last);
    if (curve.IsNull())
        return false;
    double away[4] = {};
    for (int i = 0; i < samples; i++) {
        const gp_Pnt2d p = curve->Value(first + (last - first) * i / (samples - 1));
        for (int side = 0; side < 2; side++) {
            away[side] = std::max(away[side], std::fabs(p.X() - box.u[side]));
            away[2 + side] = std::max(away[2 + side], std::fabs(p.Y() - box.v[side]));
        }
    }
    return std::min(away[0], away[1]) <= share * (box.u[1] - box.u[0]) ||
           std::min(away[2], away[3]) <= share * (box.v[1] - box.v[0]);
}

static bool is_trimmed(const TopoDS_Face &face, const Box &box)
{
    for (TopExp_Explorer edge(face, TopAbs_EDGE); edge.More(); edge.Next())
        if (!is_along_side(TopoDS::Edge(edge.Current()), face, box))
            return true;
    return false;
}

// The surface without bounds of its own; an offset surface as what it is equal to, if that is
// known.
static Handle(Geom_Surface) find_basis(Handle(Geom_Surface) surface)
{
    for (;;) {
        const auto trimmed = Handle(Geom_RectangularTrimmedSurface)::DownCast(surface);
        const auto offset = Handle(Geom_OffsetSurface)::DownCast(surface);
        if (!trimmed.IsNull())
            surface = trimmed->BasisSurface();
        else if (!offset.IsNull() && !offset->Surface().IsNull())
            surface = offset->Surface();
        else
            return surface;
    }
}

// Whether Open CASCADE can only approach it by a B-spline: offsets and what is swept by one.
static bool is_approximated(const Handle(Geom_Surface) & surface)
{
    const auto swept = Handle(Geom_SweptSurface)::DownCast(surface);
    if (swept.IsNull())
        return surface->IsKind(STANDARD_TYPE(Geom_OffsetSurface));
    Handle(Geom_Curve) curve = swept->BasisCurve();
    while (curve->IsKind(STANDARD_TYPE(Geom_TrimmedCurve)))
        curve = Handle(Geom_TrimmedCurve)::DownCast(curve)->BasisCurve();
    return curve->IsKind(STANDARD_TYPE(Geom_OffsetCurve));
}

// The face's surface within the box, exactly, or nothing.
static Handle(Geom_BSplineSurface) find_spline(const Handle(Geom_Surface) & surface, const Box &box)
{
    if (is_approximated(surface) || !(box.u[0] < box.u[1] && box.v[0] < box.v[1]) ||
        !std::isfinite(box.u[1] - box.u[0]) || !std::isfinite(box.v[1] - box.v[0]))
        return nullptr;
    try {
        const Handle(Geom_BSplineSurface) spline = GeomConvert::SurfaceToBSplineSurface(
            new Geom_RectangularTrimmedSurface(surface, box.u[0], box.u[1], box.v[0], box.v[1]));
        if (spline->IsUPeriodic())
            spline->SetUNotPeriodic();
        if (spline->IsVPeriodic())
            spline->SetVNotPeriodic();
        return spline;
    } catch (const Standard_Failure &) {
        return nullptr;
    }
}

struct Patch {
    int group, degrees[2];
    bool is_rational;
    size_t control; // number of its first
};

struct Model {
    std::vector<std::string> groups;
    std::vector<Patch> patches;
    std::vector<std::array<double, 4>> controls; // (wx, wy, wz, w)
    size_t faces, trimmed, left_out;             // faces: those that have patches
};

static struct spline find_direction(int degree, int count, const TColStd_Array1OfReal &knots)
{
    const double *all = &knots.First();
    return {degree, size_t(count), all, all[degree], all[count]};
}

// Adds the patches of a surface; where `is_reversed`, u and v change places, so that normals point
// to the other side. Gives whether its knots allow it.
static bool add_spline(Model &model, const Geom_BSplineSurface &spline, int group, bool is_reversed)
{
    struct spline u = find_direction(spline.UDegree(), spline.NbUPoles(), spline.UKnotSequence());
    struct spline v = find_direction(spline.VDegree(), spline.NbVPoles(), spline.VKnotSequence());
    std::vector<std::array<double, 4>> poles;
    struct error error;
    for (int j = 1; j <= spline.NbVPoles(); j++)
        for (int i = 1; i <= spline.NbUPoles(); i++) {
            const gp_Pnt p = spline.Pole(i, j);
            const double w = spline.Weight(i, j);
            poles.push_back({w * p.X(), w * p.Y(), w * p.Z(), w});
        }
    if (spline_check(&u, &error) != 0 || spline_check(&v, &error) != 0)
        return false;
    double(*net)[4] = spline_surface(
        &u, &v, reinterpret_cast<const double(*)[4]>(poles.data()), nullptr, nullptr);
    if (!net)
        throw Failure{"not enough memory for a surface"};
    const size_t rows = spline_segments(&u), columns = spline_segments(&v);
    const size_t width = columns * v.degree + 1;
    for (size_t patch = 0; patch < rows * columns; patch++) {
        const double(*first)[4] =
            net + patch / columns * u.degree * width + patch % columns * v.degree;
        const int lines = is_reversed ? v.degree : u.degree;
        const int line = is_reversed ? u.degree : v.degree;
        model.patches.push_back({group, {lines, line}, spline.IsURational() || spline.IsVRational(),
            model.controls.size()});
        for (int i = 0; i <= lines; i++)
            for (int j = 0; j <= line; j++) {
                const double *p = first[is_reversed ? j * width + i : i * width + j];
                model.controls.push_back({p[0], p[1], p[2], p[3]});
            }
    }
    free(net);
    return true;
}

static void add_face(Model &model, const TopoDS_Face &face)
{
    const int group = int(model.groups.size()) - 1;
    const Handle(Geom_Surface) surface = find_basis(BRep_Tool::Surface(face));
    const Box box = find_box(face, surface);
    const Handle(Geom_BSplineSurface) spline = find_spline(surface, box);
    const bool is_reversed = face.Orientation() == TopAbs_REVERSED;
    if (spline.IsNull() || !add_spline(model, *spline, group, is_reversed)) {
        model.left_out++;
        return;
    }
    model.faces++;
    model.trimmed += is_trimmed(face, box);
}

// Makes numbers that differ by roundings only equal, so that sides which faces share, or which meet
// where a surface closes, have the same control points, and meshes no cracks. `part` is 0 for
// places, 3 for weights.
static void join_numbers(Model &model, int part, int parts)
{
    std::vector<double *> numbers;
    for (auto &control : model.controls)
        for (int k = part; k < part + parts; k++)
            numbers.push_back(&control[k]);
    std::sort(numbers.begin(), numbers.end(), [](double *a, double *b) { return *a < *b; });
    const double most = std::max(std::fabs(*numbers.front()), std::fabs(*numbers.back()));
    double first = *numbers.front();
    for (double *number : numbers) {
        if (*number > first + 1e-14 * most)
            first = *number;
        *number = first;
    }
}

// Opens a group for a part. Those that have the name of another get a number.
static void open_group(Model &model, const std::string &name)
{
    const auto &groups = model.groups;
    std::string own = name;
    for (int i = 2; std::find(groups.begin(), groups.end(), own) != groups.end(); i++)
        own = name + "-" + std::to_string(i);
    model.groups.push_back(own);
}

// A group for each solid of a part, and one for its faces that belong to none.
static void add_part(Model &model, const Part &part)
{
    TopExp_Explorer face(part.shape, TopAbs_FACE, TopAbs_SOLID);
    if (face.More())
        open_group(model, part.name.empty() ? "faces" : part.name);
    for (; face.More(); face.Next())
        add_face(model, TopoDS::Face(face.Current()));
    for (TopExp_Explorer solid(part.shape, TopAbs_SOLID); solid.More(); solid.Next()) {
        open_group(model, part.name.empty() ? "solid" : part.name);
        for (face.Init(solid.Current(), TopAbs_FACE); face.More(); face.Next())
            add_face(model, TopoDS::Face(face.Current()));
    }
}

static Model find_model(const char *path)
{
    Model model = {};
    for (const Part &part : read_file(path))
        add_part(model, part);
    if (model.faces == 0)
        throw cannot("convert", path,
            model.left_out ? "none of its surfaces is a B-spline or equal to one"
                           : "it has no faces");
    join_numbers(model, 0, 3);
    join_numbers(model, 3, 1);
    return model;
}

static void check_output(const char *input, const char *path)
{
    struct stat read, written;
    struct error error;
    if (std::strcmp(path, "-") != 0 && !ends_in(path, {".bv"}))
        throw Failure{cannot("write", path, "name a file that ends in .bv").line, 2};
    if (stat(input, &read) == 0 && stat(path, &written) == 0 && read.st_dev == written.st_dev &&
        read.st_ino == written.st_ino)
        throw Failure{cannot("write", path, "it is the file that is read; name another").line, 2};
    if (output_check(path, 0, &error) != 0)
        throw Failure{error.text};
}

__attribute__((format(printf, 2, 3))) static void print(
    struct output *output, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    const int size = std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    output_write(output, text, size_t(size));
}

static void write_model(const Model &model, const char *path)
{
    struct output output;
    struct error error;
    if (output_open(path, 0, nullptr, &output, &error) != 0)
        throw Failure{error.text};
    for (size_t i = 0; i < model.patches.size(); i++) {
        const Patch &p = model.patches[i];
        if (i == 0 || p.group != model.patches[i - 1].group) {
            const std::string line =
                "group " + std::to_string(p.group) + " " + model.groups[size_t(p.group)] + "\n";
            output_write(&output, line.data(), line.size());
        }
        print(&output, "%d\n%d %d\n", p.is_rational ? 8 : 5, p.degrees[0], p.degrees[1]);
        const size_t count = size_t(p.degrees[0] + 1) * size_t(p.degrees[1] + 1);
        for (size_t k = p.control; k < p.control + count; k++) {
            const double *c = model.controls[k].data();
            print(&output, p.is_rational ? "%.17g %.17g %.17g %.17g\n" : "%.17g %.17g %.17g\n",
                c[0], c[1], c[2], c[3]);
        }
    }
    if (output_commit(&output, &error) != 0)
        throw Failure{error.text};
}

static void convert(const char *input, const char *path, bool is_quiet)
{
    check_output(input, path);
    const Model model = find_model(input);
    write_model(model, path);
    const std::string what = std::string("'") + input + "': ";
    if (!is_quiet && model.trimmed)
        print_line(what + "faces that are trimmed: " + std::to_string(model.trimmed) + " of " +
                   std::to_string(model.faces) + "; their surfaces are written whole");
    if (!is_quiet && model.left_out)
        print_line(what + "faces whose surface is not equal to a B-spline: " +
                   std::to_string(model.left_out) + "; they are left out");
}

// The last line, which people at a terminal want to see. Devices and pipes are not told.
static void tell_written(const char *path, double seconds)
{
    struct stat status;
    char time[32];
    const bool is_stream = std::strcmp(path, "-") == 0;
    if (!isatty(STDERR_FILENO) ||
        !(is_stream || (stat(path, &status) == 0 && S_ISREG(status.st_mode))))
        return;
    std::snprintf(time, sizeof(time), " in %.2f s", seconds);
    print_line((is_stream ? std::string("wrote to standard output")
                          : std::string("wrote ") + path + " (" +
                                size_write(uint64_t(status.st_size)).text + ")") +
               time);
}

int main(int argc, char **argv)
{
    const auto start = std::chrono::steady_clock::now();
    bool is_quiet = false;
    const int status = read_options(argc, argv, is_quiet);
    if (status >= 0)
        return status;
    Message::DefaultMessenger()->ChangePrinters().Clear(); // they would go to standard output
    try {
        convert(argv[optind], argv[optind + 1], is_quiet);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        if (!is_quiet)
            tell_written(argv[optind + 1], time.count());
        return 0;
    } catch (const Failure &failure) {
        print_line(failure.line);
        return failure.status;
    } catch (const Standard_Failure &failure) {
        print_line(cannot("convert", argv[optind], failure.GetMessageString()).line);
    } catch (const std::exception &failure) {
        print_line(cannot("convert", argv[optind], failure.what()).line);
    }
    return 1;
}
