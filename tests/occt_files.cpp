// Writes solids and surfaces as STEP and IGES files by Open CASCADE itself: occt_files FOLDER. All
// their points are known by formulas, which tests/cli/convert.sh has.
#include <cstdio>
#include <string>

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRep_Builder.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Geom_BezierCurve.hxx>
#include <Geom_OffsetSurface.hxx>
#include <IGESControl_Writer.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <STEPControl_Writer.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

static std::string folder;
static bool failed;

static void write_step(const char *name, const TopoDS_Shape &shape)
{
    STEPControl_Writer writer;
    failed |= writer.Transfer(shape, STEPControl_AsIs) != IFSelect_RetDone ||
              writer.Write((folder + "/" + name + ".step").c_str()) != IFSelect_RetDone;
}

static void write_iges(const char *name, const TopoDS_Shape &shape)
{
    IGESControl_Writer writer("MM", 0);
    failed |= !writer.AddShape(shape);
    writer.ComputeModel();
    failed |= !writer.Write((folder + "/" + name + ".igs").c_str());
}

static void write(const char *name, const TopoDS_Shape &shape)
{
    write_step(name, shape);
    write_iges(name, shape);
}

// The box from -3 -4 -5 to 3 4 5 with edges and corners of radius 1.
static TopoDS_Shape make_rounded_box()
{
    const TopoDS_Shape box = BRepPrimAPI_MakeBox(gp_Pnt(-3, -4, -5), 6, 8, 10).Shape();
    BRepFilletAPI_MakeFillet fillet(box);
    for (TopExp_Explorer edge(box, TopAbs_EDGE); edge.More(); edge.Next())
        fillet.Add(1, TopoDS::Edge(edge.Current()));
    return fillet.Shape();
}

// z = x x + x y as a B-spline of degree 2 x 3, whose control points are its blossoms: the means of
// the knots in x and y; and for x x, which is of degree 2, the product of both knots.
static Handle(Geom_BSplineSurface) make_saddle()
{
    TColStd_Array1OfReal x(1, 4), y(1, 3);
    TColStd_Array1OfInteger x_times(1, 4), y_times(1, 3);
    const double x_flat[] = {0, 0, 0, 1, 2.5, 4, 4, 4},
                 y_flat[] = {-3, -3, -3, -3, 0, 0, 6, 6, 6, 6};
    x(1) = 0, x(2) = 1, x(3) = 2.5, x(4) = 4;
    y(1) = -3, y(2) = 0, y(3) = 6;
    x_times(1) = x_times(4) = 3, x_times(2) = x_times(3) = 1;
    y_times(1) = y_times(3) = 4, y_times(2) = 2;
    TColgp_Array2OfPnt poles(1, 5, 1, 6);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 6; j++) {
            const double a = (x_flat[i + 1] + x_flat[i + 2]) / 2;
            const double b = (y_flat[j + 1] + y_flat[j + 2] + y_flat[j + 3]) / 3;
            poles(i + 1, j + 1) = gp_Pnt(a, b, x_flat[i + 1] * x_flat[i + 2] + a * b);
        }
    return new Geom_BSplineSurface(poles, x, y, x_times, y_times, 2, 3);
}

// The parabola x = 2 + z z / 9 from z = 0 to 3, turned about the z axis by 3.5, all 100 to the
// right.
static TopoDS_Shape make_revolved()
{
    TColgp_Array1OfPnt poles(1, 3);
    poles(1) = gp_Pnt(2, 0, 0), poles(2) = gp_Pnt(2, 0, 1.5), poles(3) = gp_Pnt(3, 0, 3);
    const TopoDS_Edge edge = BRepBuilderAPI_MakeEdge(new Geom_BezierCurve(poles)).Edge();
    gp_Trsf right;
    right.SetTranslation(gp_Vec(100, 0, 0));
    return BRepPrimAPI_MakeRevol(edge, gp::OZ(), 3.5).Shape().Moved(TopLoc_Location(right));
}

static TopoDS_Shape join(const TopoDS_Shape &one, const TopoDS_Shape &other)
{
    BRep_Builder builder;
    TopoDS_Compound compound;
    builder.MakeCompound(compound);
    builder.Add(compound, one);
    builder.Add(compound, other);
    return compound;
}

// An assembly of an assembly, in which a part stands twice, once 20 up and 30 to the right.
static void write_assembly()
{
    Handle(TDocStd_Document) document = new TDocStd_Document("parts");
    const Handle(XCAFDoc_ShapeTool) tool = XCAFDoc_DocumentTool::ShapeTool(document->Main());
    const TDF_Label bolt = tool->AddShape(BRepPrimAPI_MakeBox(1, 2, 3).Shape(), false);
    const TDF_Label ball = tool->AddShape(BRepPrimAPI_MakeSphere(4).Shape(), false);
    const TDF_Label inner = tool->NewShape(), outer = tool->NewShape();
    gp_Trsf up, right;
    up.SetTranslation(gp_Vec(0, 0, 20));
    right.SetTranslation(gp_Vec(30, 0, 0));
    TDataStd_Name::Set(bolt, "bolt M8");
    TDataStd_Name::Set(ball, TCollection_ExtendedString("K\xc3\xbcgel", true));
    tool->AddComponent(inner, bolt, TopLoc_Location());
    tool->AddComponent(inner, bolt, TopLoc_Location(up));
    tool->AddComponent(outer, inner, TopLoc_Location(right));
    tool->AddComponent(outer, ball, TopLoc_Location());
    tool->UpdateAssemblies();
    STEPCAFControl_Writer writer;
    failed |= !writer.Transfer(document) ||
              writer.Write((folder + "/assembly.step").c_str()) != IFSelect_RetDone;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    folder = argv[1];
    Message::DefaultMessenger()->ChangePrinters().Clear();
    const TopoDS_Shape sphere = BRepPrimAPI_MakeSphere(gp_Pnt(1, 2, 3), 10).Shape();
    const TopoDS_Shape torus = BRepPrimAPI_MakeTorus(20, 5).Shape();
    const Handle(Geom_BSplineSurface) saddle = make_saddle();
    const TopoDS_Face offset =
        BRepBuilderAPI_MakeFace(new Geom_OffsetSurface(saddle, 1), 1e-7).Face();
    write("sphere", sphere);
    write("torus", torus);
    write("cone", BRepPrimAPI_MakeCone(6, 2, 8).Shape());
    write("rounded", make_rounded_box());
    write("drilled",
        BRepAlgoAPI_Cut(BRepPrimAPI_MakeBox(gp_Pnt(-3, -4, -5), 6, 8, 10).Shape(),
            BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, -9), gp_Dir(0, 0, 1)), 2, 20).Shape())
            .Shape());
    write("saddle", BRepBuilderAPI_MakeFace(saddle, .5, 3, -.75, 4.5, 1e-7).Face());
    write("revolved", make_revolved());
    write_step("offset", offset);
    write_step("mixed", join(join(sphere, torus), offset));
    write_step("edge", TopExp_Explorer(torus, TopAbs_EDGE).Current());
    write_assembly();
    return failed;
}
