/* Files that the build puts into the program: NAME is the first byte, followed by a zero. */
#ifndef EMBED_H
#define EMBED_H

#if defined(__APPLE__)
#define EMBED_SECTION "__TEXT,__const"
#define EMBED_SYMBOL(name) "_" #name
#else
#define EMBED_SECTION ".rodata"
#define EMBED_SYMBOL(name) #name
#endif

#define EMBED(name, file) \
    __asm__( \
        ".section " EMBED_SECTION "\n" \
        ".globl " EMBED_SYMBOL(name) "\n" \
                                     ".balign 16\n" EMBED_SYMBOL(name) ":\n" \
                                                                       ".incbin \"" file "\"\n" \
                                                                       ".byte 0\n" \
                                                                       ".text\n"); \
    extern const char name[];

#endif
