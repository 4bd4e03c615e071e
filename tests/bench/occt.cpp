// How long Open CASCADE takes to evaluate a Bézier surface on one core:
//   occt CONTROLS RESOLUTION polynomial|rational SEED METHOD [FILE]
//
// The surface has CONTROLS x CONTROLS random control points, the grid RESOLUTION x RESOLUTION
// points at i / (RESOLUTION - 1). Prints the median of milliseconds a grid and the largest error
// over the largest control point. The points go to FILE as doubles x y z, v fastest. Methods:
//   d0         Geom_BezierSurface::D0 for every point
//   cache      BSplSLib_Cache, which the library's own adaptors use: a Taylor polynomial
//   row        the curve of a row by Geom_BezierSurface::UIso, its points by D0
//   row-cache  the curve of a row, its points by BSplCLib_Cache
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <BSplCLib.hxx>
#include <BSplCLib_Cache.hxx>
#include <BSplSLib_Cache.hxx>
#include <Geom_BezierCurve.hxx>
#include <Geom_BezierSurface.hxx>

#include "kernels/device/clock.h"
#include "random.h"
extern "C" {
#include "stages/bezier/reference.h"
}

static const double LEAST_SECONDS = 0.3;
static const size_t LEAST_RUNS = 3;
static const int CHECKED = 64; // points of a side

// The same control points as the library's surface and as a patch.
struct Input {
    int controls;
    Handle(Geom_BezierSurface) surface;
    std::vector<double> homogeneous;
};

static Input make_input(int controls, bool rational, uint64_t seed)
{
    Input input = {controls, nullptr, {}};
    TColgp_Array2OfPnt poles(1, controls, 1, controls);
    TColStd_Array2OfReal weights(1, controls, 1, controls);
    for (int i = 1; i <= controls; i++)
        for (int j = 1; j <= controls; j++) {
            const double x = random_unit(&seed) - 0.5f, y = random_unit(&seed) - 0.5f;
            const double z = random_unit(&seed) - 0.5f;
            const double w = rational ? 0.5f + random_unit(&seed) : 1;
            poles(i, j) = gp_Pnt(x, y, z);
            weights(i, j) = w;
            input.homogeneous.insert(input.homogeneous.end(), {w * x, w * y, w * z, w});
        }
    input.surface =
        rational ? new Geom_BezierSurface(poles, weights) : new Geom_BezierSurface(poles);
    return input;
}

using Points = std::vector<gp_Pnt>; // side * side
using Evaluate = void (*)(const Input &input, int side, Points &points);

static double parameter(int i, int side)
{
    return i / double(side - 1);
}

static TColStd_Array1OfReal flat_knots(int controls)
{
    return TColStd_Array1OfReal(BSplCLib::FlatBezierKnots(controls - 1), 1, 2 * controls);
}

static void evaluate_d0(const Input &input, int side, Points &points)
{
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
            input.surface->D0(parameter(i, side), parameter(j, side), points[i * side + j]);
}

static void evaluate_cache(const Input &input, int side, Points &points)
{
    const TColStd_Array1OfReal knots = flat_knots(input.controls);
    const int degree = input.controls - 1;
    const TColStd_Array2OfReal *weights = input.surface->Weights();
    BSplSLib_Cache cache(degree, false, knots, degree, false, knots, weights);
    cache.BuildCache(0.5, 0.5, knots, knots, input.surface->Poles(), weights);
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
            cache.D0(parameter(i, side), parameter(j, side), points[i * side + j]);
}

static void evaluate_row(const Input &input, int side, Points &points)
{
    for (int i = 0; i < side; i++) {
        const Handle(Geom_Curve) curve = input.surface->UIso(parameter(i, side));
        for (int j = 0; j < side; j++)
            curve->D0(parameter(j, side), points[i * side + j]);
    }
}

static void evaluate_row_cache(const Input &input, int side, Points &points)
{
    const TColStd_Array1OfReal knots = flat_knots(input.controls);
    for (int i = 0; i < side; i++) {
        const Handle(Geom_BezierCurve) curve =
            Handle(Geom_BezierCurve)::DownCast(input.surface->UIso(parameter(i, side)));
        BSplCLib_Cache cache(input.controls - 1, false, knots, curve->Poles(), curve->Weights());
        cache.BuildCache(0.5, knots, curve->Poles(), curve->Weights());
        for (int j = 0; j < side; j++)
            cache.D0(parameter(j, side), points[i * side + j]);
    }
}

static double median_milliseconds(Evaluate evaluate, const Input &input, int side, Points &points)
{
    std::vector<double> milliseconds;
    const double begin = clock_seconds();
    while (milliseconds.size() < LEAST_RUNS || clock_seconds() - begin < LEAST_SECONDS) {
        const double start = clock_seconds();
        evaluate(input, side, points);
        milliseconds.push_back(1e3 * (clock_seconds() - start));
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    return milliseconds[milliseconds.size() / 2];
}

// Looks at up to CHECKED x CHECKED points.
static double largest_error(Input &input, int side, const Points &points)
{
    struct patch patch = {};
    patch.kind = KIND_RATIONAL;
    patch.degree_u = patch.degree_v = input.controls - 1;
    patch.control_count = input.homogeneous.size() / 4;
    struct patches patches = {};
    patches.controls = reinterpret_cast<double(*)[4]>(input.homogeneous.data());
    double error = 0;
    for (int i = 0; i < side; i += side / CHECKED + 1)
        for (int j = 0; j < side; j += side / CHECKED + 1) {
            struct reference_point expected;
            reference_point(&patches, &patch, parameter(i, side), parameter(j, side), &expected);
            const gp_Pnt position(expected.position[0], expected.position[1], expected.position[2]);
            error = std::max(error, position.Distance(points[i * side + j]));
        }
    return error / double(reference_magnitude(&patches, &patch));
}

static bool write_points(const char *path, const Points &points)
{
    FILE *file = std::fopen(path, "wb");
    if (!file)
        return false;
    const size_t written = std::fwrite(points.data(), sizeof(gp_Pnt), points.size(), file);
    return std::fclose(file) == 0 && written == points.size();
}

int main(int argc, char **argv)
{
    static_assert(sizeof(gp_Pnt) == 3 * sizeof(double), "points are written as they are");
    static const std::map<std::string, Evaluate> METHODS = {{"d0", evaluate_d0},
        {"cache", evaluate_cache}, {"row", evaluate_row}, {"row-cache", evaluate_row_cache}};
    const int controls = argc > 1 ? std::atoi(argv[1]) : 0,
              side = argc > 2 ? std::atoi(argv[2]) : 0;
    const std::string kind = argc > 3 ? argv[3] : "", name = argc > 5 ? argv[5] : "";
    const auto method = METHODS.find(name);
    if (controls < 2 || controls > Geom_BezierSurface::MaxDegree() + 1 || side < 2 ||
        (kind != "polynomial" && kind != "rational") || method == METHODS.end()) {
        std::fprintf(stderr, "usage: occt CONTROLS RESOLUTION polynomial|rational SEED "
                             "d0|cache|row|row-cache [FILE]\n");
        return 2;
    }
    Input input = make_input(controls, kind == "rational", std::strtoull(argv[4], nullptr, 0));
    Points points(size_t(side) * side);
    const double milliseconds = median_milliseconds(method->second, input, side, points);
    std::printf("%.4f %.2g\n", milliseconds, largest_error(input, side, points));
    if (argc > 6 && !write_points(argv[6], points)) {
        std::perror(argv[6]);
        return 1;
    }
    return 0;
}
