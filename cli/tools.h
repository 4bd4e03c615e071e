/* The tools by their command lines: each gives its exit status. */
#ifndef TOOLS_H
#define TOOLS_H

int unscramble_main(int argc, char **argv);
int scramble_main(int argc, char **argv);
int circles_main(int argc, char **argv);
int bezier_main(int argc, char **argv);

#endif
