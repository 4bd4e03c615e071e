/* The stb libraries, compiled once. */
#include <stdlib.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_PNM
#define STBI_NO_JPEG
#define STBI_NO_PNG
#define STBI_NO_BMP
#define STBI_MALLOC(size) calloc(1, size) /* it reads what damaged files leave unwritten */
#define STBI_REALLOC(memory, size) realloc(memory, size)
#define STBI_FREE(memory) free(memory)
#define STBI_FAILURE_USERMSG
#include <stb_image.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

#define STB_IMAGE_RESIZE_IMPLEMENTATION
#include <stb_image_resize.h>

#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>
