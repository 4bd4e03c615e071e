/* Files that the build puts into the program: NAME is the first byte, followed by a zero. Programs
 * that link to the library do not see it. */
#ifndef EMBED_H
#define EMBED_H

#if defined(__APPLE__)
#define EMBED_SECTION "__TEXT,__const"
#define EMBED_SYMBOL(name) "_" #name
#define EMBED_HIDDEN ".private_extern "
#else
#define EMBED_SECTION ".rodata"
#define EMBED_SYMBOL(name) #name
#define EMBED_HIDDEN ".hidden "
#endif

/* clang-format off */
#define EMBED(name, file) \
    __asm__( \
        ".section " EMBED_SECTION "\n" \
        ".globl " EMBED_SYMBOL(name) "\n" \
        EMBED_HIDDEN EMBED_SYMBOL(name) "\n" \
        ".balign 16\n" \
        EMBED_SYMBOL(name) ":\n" \
        ".incbin \"" file "\"\n" \
        ".byte 0\n" \
        ".text\n"); \
    extern const char name[];
/* clang-format on */

#endif
