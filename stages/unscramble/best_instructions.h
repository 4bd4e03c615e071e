/* Has a function compiled for several instruction sets, of which the best is chosen when the
 * program starts. */
#ifndef BEST_INSTRUCTIONS_H
#define BEST_INSTRUCTIONS_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define BEST_INSTRUCTIONS __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define BEST_INSTRUCTIONS
#endif

#endif
