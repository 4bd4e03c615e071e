// What the files of tessera-convert share: the command line, what goes wrong, and reading.
#ifndef CONVERT_HPP
#define CONVERT_HPP

#include <initializer_list>
#include <string>
#include <vector>

#include <TopoDS_Shape.hxx>

// What goes wrong, as the one line that is printed.
struct Failure {
    std::string line;
    int status = 1; // that the program ends with
};

// Prints "tessera-convert: line" on standard error.
void print_line(const std::string &line);

// Reads the options and carries out those such as --help. Gives the exit status to leave with, or
// -1 to go on with the input and the output, which stand at optind.
int read_options(int argc, char **argv, bool &is_quiet);

Failure cannot(const char *what, const char *path, const std::string &reason);

bool ends_in(const char *path, std::initializer_list<const char *> extensions);

// A part where it stands, with its name, which may be empty.
struct Part {
    TopoDS_Shape shape;
    std::string name;
};

// The parts of a STEP or IGES file, at least one, where they stand in its assemblies. Lengths come
// in millimeters, whatever the file's unit is. Throws a Failure.
std::vector<Part> read_file(const char *path);

#endif
