// Reading STEP and IGES files with the names of their parts.
#include "cli/convert.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <strings.h>

#include <sys/stat.h>

#include <IGESCAFControl_Reader.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#define NAME_ONE "name a file that ends in .step, .stp, .iges or .igs"

Failure cannot(const char *what, const char *path, const std::string &reason)
{
    return {std::string("cannot ") + what + " '" + path + "': " + reason};
}

bool ends_in(const char *path, std::initializer_list<const char *> extensions)
{
    const char *extension = std::strrchr(path, '.');
    return extension && std::any_of(extensions.begin(), extensions.end(),
                            [=](const char *e) { return strcasecmp(extension, e) == 0; });
}

// In UTF-8, without control characters and blanks at its ends.
static std::string name_of(const TDF_Label &label)
{
    Handle(TDataStd_Name) name;
    if (!label.FindAttribute(TDataStd_Name::GetID(), name))
        return "";
    TCollection_AsciiString text(name->Get(), 0);
    for (int i = 1; i <= text.Length(); i++)
        if ((unsigned char)text.Value(i) < ' ' || text.Value(i) == 127)
            text.SetValue(i, ' ');
    text.LeftAdjust();
    text.RightAdjust();
    return text.ToCString();
}

// The parts of an assembly, or the part itself.
static void add_parts(
    std::vector<Part> &parts, const TDF_Label &label, const TopLoc_Location &location)
{
    TDF_LabelSequence components;
    TDF_Label own = label;
    if (XCAFDoc_ShapeTool::GetReferredShape(label, own)) {
        add_parts(parts, own, location * XCAFDoc_ShapeTool::GetLocation(label));
    } else if (XCAFDoc_ShapeTool::GetComponents(label, components)) {
        for (const TDF_Label &component : components)
            add_parts(parts, component, location);
    } else {
        parts.push_back({XCAFDoc_ShapeTool::GetShape(label).Moved(location), name_of(label)});
    }
}

template <class Reader> static std::vector<Part> read_parts(Reader &&reader, const char *path)
{
    Handle(TDocStd_Document) document = new TDocStd_Document("parts");
    TDF_LabelSequence labels;
    std::vector<Part> parts;
    XCAFDoc_ShapeTool::SetAutoNaming(false);
    reader.SetColorMode(false);
    reader.SetLayerMode(false);
    if (reader.ReadFile(path) != IFSelect_RetDone)
        throw cannot("read", path, "it is damaged, or no file of the kind that its name says");
    if (reader.Transfer(document))
        XCAFDoc_DocumentTool::ShapeTool(document->Main())->GetFreeShapes(labels);
    for (const TDF_Label &label : labels)
        add_parts(parts, label, TopLoc_Location());
    if (parts.empty())
        throw cannot("read", path, "it has no shapes");
    return parts;
}

std::vector<Part> read_file(const char *path)
{
    struct stat status;
    if (std::strcmp(path, "-") == 0)
        throw Failure{"cannot read standard input: " NAME_ONE};
    if (stat(path, &status) != 0)
        throw cannot("open", path, std::strerror(errno));
    if (!S_ISREG(status.st_mode))
        throw cannot("read", path, "it is no file");
    if (ends_in(path, {".step", ".stp"}))
        return read_parts(STEPCAFControl_Reader(), path);
    if (ends_in(path, {".iges", ".igs"}))
        return read_parts(IGESCAFControl_Reader(), path);
    throw cannot("read", path, NAME_ONE);
}
