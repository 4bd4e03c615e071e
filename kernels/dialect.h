/* The dialect that kernels are written in: one text for gcc and clang (CPU), OpenCL C 1.2, CUDA.
 *
 *   #include "kernels/dialect.h"
 *   KERNEL3(reverse, GLOBAL const uint *, from, GLOBAL uint *, to, struct reverse_args, a)
 *   {
 *       LOCAL uint values[GROUP];
 *       ITEMS { values[ITEM] = from[GROUP_X * GROUP + ITEM]; }
 *       SYNC;
 *       ITEMS { to[GROUP_X * GROUP + ITEM] = values[GROUP - 1 - ITEM]; }
 *   }
 *
 * A kernel is a function of one work-group of GROUP items. On a GPU each item is a thread and
 * runs the text once; on the CPU one thread runs the group and ITEMS loops over its items. Hence:
 *   - Code outside ITEMS must not depend on the item, and no loop or branch around SYNC may either.
 *   - Only LOCAL and PRIVATE data cross a SYNC. A PRIVATE variable is reached by MINE(variable).
 *   - A SYNC in a branch costs: PoCL copies all that follows it, so that a few take it minutes to
 *     compile. PoCL 5 crashes where a value after the branch depends on which way was taken, and
 *     it seems that PoCL 5 and 6 compile some wrongly at times (docs/kernels.md). A loop that may
 *     end before its first round is such a branch: if there is a first round, write do ... while.
 *   - There is no return, break or continue out of ITEMS, and no two items of one ITEMS write the
 *     same place.
 *   - ITEMS_ATOMIC is ITEMS where items may ATOMIC_OR, ATOMIC_ADD or ATOMIC_COUNT (add 1 to) one
 *     LOCAL word. On the CPU they come one after the other, the lowest first, so that there a later
 *     item may also overwrite what an earlier one wrote. It also serves where an item's own loops
 *     make better vectors than items side by side.
 *   - ITEMS_TO(n) runs the first n <= GROUP items, with n the same for the whole group.
 *   - ITEMS_BETWEEN(a, b) runs the items from a on and before b.
 *   - ITEMS_GRID(width, height) runs the first width * height items, width a constant, as rows in
 *     which ITEM_COLUMN(width) and ITEM_ROW(width) say where the item stands.
 *   - A loop around ITEMS without SYNC may go on, or a branch be taken, while SOME(flags): on a GPU
 *     as long as this item's own PRIVATE uint is not 0, on the CPU as long as any item's is not.
 *   - LONG is a signed integer of 64 bits, as ulong is an unsigned one.
 *   - INDEX is the unsigned type of an index by which neighboring items store neighboring values.
 *     It has 32 bits on a GPU, where 64 take longer, and 64 on the CPU, whose compiler makes
 *     vectors only where it sees that index + 1 does not wrap.
 *   - MULTIPLY_ADD rounds once or twice, as the processor does best, so for results that must agree
 *     its product must be exact. FMA rounds once everywhere, where there is no instruction for it
 *     slowly; it and SQRT take floats or doubles.
 *   - DOT4(a, b, n) is n and the products of the four signed bytes of the words a and b, an int,
 *     for kernels whose items are threads. kernels/lanes.h has DOT2, of 16 bits, for all.
 *   - MULTIPLY_BYTES(s0, s1, s2, s3, a0, a1, b), where HAS_MATRIX_UNITS is 1, adds to a matrix of
 *     16 x 8 ints the product of one of 16 x 16 signed bytes and one of 16 x 8, which 32 items,
 *     from a multiple of 32 on, hold together and call it together. Item n of these has of the
 *     sums, rows n / 4 and n / 4 + 8, in each the columns n % 4 * 2 (s0, s2) and the next one (s1,
 *     s3); of the first matrix the four bytes from column n % 4 * 4 on in the same two rows (a0,
 *     a1); of the second one the four bytes from row n % 4 * 4 on in column n / 4.
 *   - COPY_ASYNC(to, from), where HAS_MATRIX_UNITS is 1, copies 16 bytes, which start at a multiple
 *     of 16, from GLOBAL to LOCAL memory while the item goes on. COPIES_WAIT, which is nothing
 *     elsewhere, waits for this item's copies; those of others have come after the next SYNC.
 *   - ATOMIC_ADD_SYSTEM(place, n) adds to a GLOBAL word that other devices may add to at the same
 *     time, and gives what it was before.
 *   - STREAM(place, value) stores what no kernel reads soon: a GPU's cache lets go of it first.
 *
 * A long kernel is made of functions. DEVICE stands before one that works for one item, or that
 * has nothing to do with items. GROUP_FUNCTION stands before one that has ITEMS or SYNC and keeps
 * the rules of a kernel. It works on what it is given pointers to:
 *
 *   struct shared { uint values[GROUP]; };
 *   struct own { PRIVATE(float, x); PRIVATE_ARRAY(float, y, 4); };
 *
 *   DEVICE void move(struct own *own, uint item, float by) { ITS(own->x, item) += by; }
 *   GROUP_FUNCTION void move_all(IN_LOCAL const struct shared *shared, struct own *own)
 *   {
 *       ITEMS { move(own, ITEM, (float)shared->values[ITEM]); }
 *   }
 *
 * and the kernel declares LOCAL struct shared shared; struct own own; and calls move_all(&shared,
 * &own). Hence:
 *   - IN_LOCAL stands before what a pointer to LOCAL data points to. A group function has PRIVATE
 *     variables of its own where it needs some, but no LOCAL ones.
 *   - ITS(variable, item) is MINE(variable) in a function that ITEMS call with ITEM.
 *   - Group functions become part of the kernel. What is PRIVATE in a struct becomes registers of a
 *     GPU, or an array that the CPU goes along with vectors, as it does without the struct.
 *   - Within ITEMS no variable's address is taken: the CPU would keep it in memory for each lane.
 *
 * KERNELn declares a kernel of n arguments, KERNEL_CONSTANTn one with a table in constant memory
 * in front of them. Every launch is checked against this declaration: the kernels of the CPU make
 * a struct parameter of each argument.
 *
 * A kernel's row in the table of its folder (kernels/kernels.h) defines GROUP, which a text may
 * define anew where items are lanes of vectors, KERNEL_NAME for a text of several variants, and the
 * macros of the variant. A text may define KERNEL_GROUPS before
 * it includes the dialect: the groups that an NVIDIA multiprocessor is to hold at once, if it can,
 * for which the compiler gives each item few enough registers.
 *
 * No kernel asks which compiler it has. What processors differ in has a name here, which is 1 or
 * 0:
 *   - ITEMS_ARE_THREADS: an item is a thread with registers of its own, and not a lane of a vector.
 *   - HAS_PTX: there are the instructions of NVIDIA's GPUs of compute capability 7.0 or higher.
 *   - HAS_MATRIX_UNITS: there are those of 8.0 or higher.
 *   - SYNC_MAY_BE_SKIPPED: a SYNC in a branch is cheap to compile. */
#ifndef DIALECT_H
#define DIALECT_H

#if defined(__OPENCL_VERSION__)

#pragma OPENCL FP_CONTRACT OFF
#define ITEMS_ARE_THREADS 1
#if !defined(HAS_PTX) /* the host defines these as 1 for a GPU that has them */
#define HAS_PTX 0
#endif
#if !defined(HAS_MATRIX_UNITS)
#define HAS_MATRIX_UNITS 0
#endif
#define SYNC_MAY_BE_SKIPPED 0
#define DEVICE
#define GROUP_FUNCTION static inline __attribute__((always_inline))
#define RESTRICT restrict
#define LONG long
#define INDEX uint
#define GLOBAL __global
#define CONSTANT __constant
#define LOCAL __local
#define IN_LOCAL __local
#define GROUP_X ((uint)get_group_id(0))
#define GROUP_Y ((uint)get_group_id(1))
#define ITEM ((uint)get_local_id(0))
#define SYNC barrier(CLK_LOCAL_MEM_FENCE)
#define BITS(x) popcount(x)
#define LOWEST_BIT(x) (31 - clz((x) & (0u - (x))))
#define HIGHEST_BIT(x) (31 - clz(x))
#define ABS(x) fabs(x)
#define ABS_INT(x) abs(x)
#define SQRT(x) sqrt(x)
#define FMA(a, b, c) fma(a, b, c)
#define FLOAT_BITS(x) as_uint(x)
#define BITS_FLOAT(x) as_float(x)
#if defined(FP_FAST_FMAF)
#define MULTIPLY_ADD(a, b, c) fma(a, b, c)
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif
#if !HAS_PTX
#define DOT4(a, b, n) dot4_(convert_int4(as_char4(a)), convert_int4(as_char4(b)), n)
static inline int dot4_(int4 a, int4 b, int n)
{
    const int4 c = a * b;
    return n + c.x + c.y + c.z + c.w;
}
#endif
#define ATOMIC_ADD(place, n) atomic_add(place, n)
#define ATOMIC_OR(place, bits) atomic_or(place, bits)
#define ATOMIC_COUNT(place) atomic_inc(place)
#define ATOMIC_ADD_SYSTEM(place, n) atomic_add(place, n)
#define LOCAL_ADDRESS(place) ((uint)(size_t)(place))
#define STREAM(place, value) (*(place) = (value))
#define ALIGNED(bytes) __attribute__((aligned(bytes)))
#define GROUP_PARAMETER
#define TABLE(T, table, count)
#define TABLE_PARAMETER(T, table) CONSTANT const T *table,
#define KERNEL_BEGIN(name, parameters, arguments, description) \
    __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void name parameters

#elif defined(__CUDACC__)

#define ITEMS_ARE_THREADS 1
#define HAS_PTX 1
#define HAS_MATRIX_UNITS (__CUDA_ARCH__ >= 800)
#define SYNC_MAY_BE_SKIPPED 1
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong; /* as glibc has it too: 64 bits */
#define LONG long
#define INDEX uint
#define DEVICE static __device__ __forceinline__
#define GROUP_FUNCTION DEVICE
#define RESTRICT __restrict__
#define GLOBAL
#define LOCAL __shared__
#define IN_LOCAL
#define GROUP_X blockIdx.x
#define GROUP_Y blockIdx.y
#define ITEM threadIdx.x
#define SYNC __syncthreads()
#define BITS(x) __popc(x)
#define LOWEST_BIT(x) ((uint)__ffs((int)(x)) - 1)
#define HIGHEST_BIT(x) (31 - (uint)__clz((int)(x)))
#define ABS(x) fabsf(x)
#define ABS_INT(x) abs(x)
#define SQRT(x) sqrt(x)
#define FMA(a, b, c) fma(a, b, c)
#define FLOAT_BITS(x) __float_as_uint(x)
#define BITS_FLOAT(x) __uint_as_float(x)
#define MULTIPLY_ADD(a, b, c) __fmaf_rn(a, b, c)
#define ATOMIC_ADD(place, n) atomicAdd(place, n)
#define ATOMIC_OR(place, bits) atomicOr(place, bits)
#define ATOMIC_COUNT(place) atomicAdd(place, 1)
#define ATOMIC_ADD_SYSTEM(place, n) atomicAdd_system(place, n)
#define STREAM(place, value) __stcs(place, value)
#define LOCAL_ADDRESS(place) ((uint)__cvta_generic_to_shared(place))
#define ALIGNED(bytes) __align__(bytes)
#define GROUP_PARAMETER
#define TABLE(T, table, count) __constant__ T table[count];
#define TABLE_PARAMETER(T, table)
#if __CUDA_ARCH__ == 750
#define UNIT_THREADS 1024 /* that a multiprocessor holds */
#elif __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200
#define UNIT_THREADS 1536
#else
#define UNIT_THREADS 2048
#endif
#define KERNEL_BEGIN(name, parameters, arguments, description) \
    extern "C" __global__ void __launch_bounds__( \
        GROUP, MIN(KERNEL_GROUPS, UNIT_THREADS / (GROUP))) name parameters

#else /* the CPU; NAME_OF adds the instruction set, for which each kernel is compiled once */

#include "kernels/device/parameter.h"
#define ITEMS_ARE_THREADS 0
#define HAS_PTX 0
#define HAS_MATRIX_UNITS 0
#define SYNC_MAY_BE_SKIPPED 1
typedef uint8_t uchar;
typedef uint16_t ushort;
typedef uint32_t uint;
typedef uint64_t ulong;
typedef int64_t LONG;
typedef uint64_t INDEX;
typedef struct {
    float x, y, z, w;
} __attribute__((aligned(16))) float4;
#define DEVICE static inline
#define GROUP_FUNCTION static inline __attribute__((always_inline))
#define RESTRICT restrict
#define GLOBAL
#define LOCAL
#define IN_LOCAL
#define GROUP_X group_.x
#define GROUP_Y group_.y
#define ITEM item_
#define SYNC ((void)0)
#define BITS(x) ((uint)__builtin_popcount(x))
#define LOWEST_BIT(x) ((uint)__builtin_ctz(x))
#define HIGHEST_BIT(x) (31 - (uint)__builtin_clz(x))
#define ABS(x) __builtin_fabsf(x)
#define ABS_INT(x) __builtin_abs(x)
#define SQRT(x) _Generic((x), float : __builtin_sqrtf, double : __builtin_sqrt)(x)
#define FMA(a, b, c) _Generic((c), float : __builtin_fmaf, double : __builtin_fma)(a, b, c)
#define FLOAT_BITS(x) \
    (((union { \
        float f; \
        uint bits; \
    }){.f = (x)}) \
            .bits)
#define BITS_FLOAT(x) \
    (((union { \
        uint bits; \
        float f; \
    }){.bits = (x)}) \
            .f)
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define MULTIPLY_ADD(a, b, c) __builtin_fmaf(a, b, c)
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif
#define ATOMIC_ADD(place, n) __atomic_fetch_add(place, n, __ATOMIC_RELAXED)
#define ATOMIC_OR(place, bits) (*(place) |= (bits))
#define ATOMIC_COUNT(place) (++*(place))
#define ATOMIC_ADD_SYSTEM(place, n) __atomic_fetch_add(place, n, __ATOMIC_RELAXED)
#define STREAM(place, value) (*(place) = (value))
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME_OF(name) JOIN(name, CPU_VARIANT)
#define VALUE(T, i) (*(T *)values[i])
#define ALIGNED(bytes) __attribute__((aligned(bytes)))
#define GROUP_PARAMETER struct group group_,
#define TABLE(T, table, count)
#define TABLE_PARAMETER(T, table) const T *table,
/* One of the instruction sets defines name_parameters, for all devices. 5 is a pointer's class. */
#define PARAMETER(T, parameter) \
    {#parameter, __builtin_classify_type(*(T *)0) == 5 ? PARAMETER_BUFFER : PARAMETER_VALUE, \
        sizeof(T)},
#define PARAMETER_OF_TABLE(T, table, count) {#table, PARAMETER_TABLE, sizeof(T) * (count)},
#if defined(CPU_DESCRIBES)
#define DESCRIBE(name, ...) \
    extern const struct parameter JOIN(name, parameters)[]; \
    const struct parameter JOIN(name, parameters)[] = {__VA_ARGS__{0}};
#else
#define DESCRIBE(name, ...)
#endif
/* The launcher calls NAME_OF(name)(group, values), values[i] pointing to argument i. */
#define KERNEL_BEGIN(name, parameters, arguments, description) \
    DESCRIBE(name, description) \
    static inline void name parameters; \
    void NAME_OF(name)(struct group group_, void *const *values); \
    void NAME_OF(name)(struct group group_, void *const *values) \
    { \
        name arguments; \
    } \
    static inline void name parameters

#endif

/* One for each number of arguments, since OpenCL C 1.2 has no macros of any number. */
#define KERNEL3(name, T1, a1, T2, a2, T3, a3) \
    KERNEL_BEGIN(name, (GROUP_PARAMETER T1 a1, T2 a2, T3 a3), \
        (group_, VALUE(T1, 0), VALUE(T2, 1), VALUE(T3, 2)), \
        PARAMETER(T1, a1) PARAMETER(T2, a2) PARAMETER(T3, a3))
#define KERNEL4(name, T1, a1, T2, a2, T3, a3, T4, a4) \
    KERNEL_BEGIN(name, (GROUP_PARAMETER T1 a1, T2 a2, T3 a3, T4 a4), \
        (group_, VALUE(T1, 0), VALUE(T2, 1), VALUE(T3, 2), VALUE(T4, 3)), \
        PARAMETER(T1, a1) PARAMETER(T2, a2) PARAMETER(T3, a3) PARAMETER(T4, a4))
#define KERNEL5(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5) \
    KERNEL_BEGIN(name, (GROUP_PARAMETER T1 a1, T2 a2, T3 a3, T4 a4, T5 a5), \
        (group_, VALUE(T1, 0), VALUE(T2, 1), VALUE(T3, 2), VALUE(T4, 3), VALUE(T5, 4)), \
        PARAMETER(T1, a1) PARAMETER(T2, a2) PARAMETER(T3, a3) PARAMETER(T4, a4) PARAMETER(T5, a5))
#define KERNEL6(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6) \
    KERNEL_BEGIN(name, (GROUP_PARAMETER T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6), \
        (group_, VALUE(T1, 0), VALUE(T2, 1), VALUE(T3, 2), VALUE(T4, 3), VALUE(T5, 4), \
            VALUE(T6, 5)), \
        PARAMETER(T1, a1) PARAMETER(T2, a2) PARAMETER(T3, a3) PARAMETER(T4, a4) PARAMETER(T5, a5) \
            PARAMETER(T6, a6))
#define KERNEL8(name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8) \
    KERNEL_BEGIN(name, (GROUP_PARAMETER T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8), \
        (group_, VALUE(T1, 0), VALUE(T2, 1), VALUE(T3, 2), VALUE(T4, 3), VALUE(T5, 4), \
            VALUE(T6, 5), VALUE(T7, 6), VALUE(T8, 7)), \
        PARAMETER(T1, a1) PARAMETER(T2, a2) PARAMETER(T3, a3) PARAMETER(T4, a4) PARAMETER(T5, a5) \
            PARAMETER(T6, a6) PARAMETER(T7, a7) PARAMETER(T8, a8))
#define KERNEL10( \
    name, T1, a1, T2, a2, T3, a3, T4, a4, T5, a5, T6, a6, T7, a7, T8, a8, T9, a9, T10, a10) \
    KERNEL_BEGIN(name, \
        (GROUP_PARAMETER T1 a1, T2 a2, T3 a3, T4 a4, T5 a5, T6 a6, T7 a7, T8 a8, T9 a9, T10 a10), \
        (group_, VALUE(T1, 0), VALUE(T2, 1), VALUE(T3, 2), VALUE(T4, 3), VALUE(T5, 4), \
            VALUE(T6, 5), VALUE(T7, 6), VALUE(T8, 7), VALUE(T9, 8), VALUE(T10, 9)), \
        PARAMETER(T1, a1) PARAMETER(T2, a2) PARAMETER(T3, a3) PARAMETER(T4, a4) PARAMETER(T5, a5) \
            PARAMETER(T6, a6) PARAMETER(T7, a7) PARAMETER(T8, a8) PARAMETER(T9, a9) \
                PARAMETER(T10, a10))
#define KERNEL_CONSTANT2(name, T, table, count, T1, a1, T2, a2) \
    TABLE(T, table, count) \
    KERNEL_BEGIN(name, (GROUP_PARAMETER TABLE_PARAMETER(T, table) T1 a1, T2 a2), \
        (group_, VALUE(const T *, 0), VALUE(T1, 1), VALUE(T2, 2)), \
        PARAMETER_OF_TABLE(T, table, count) PARAMETER(T1, a1) PARAMETER(T2, a2))
#define KERNEL_CONSTANT3(name, T, table, count, T1, a1, T2, a2, T3, a3) \
    TABLE(T, table, count) \
    KERNEL_BEGIN(name, (GROUP_PARAMETER TABLE_PARAMETER(T, table) T1 a1, T2 a2, T3 a3), \
        (group_, VALUE(const T *, 0), VALUE(T1, 1), VALUE(T2, 2), VALUE(T3, 3)), \
        PARAMETER_OF_TABLE(T, table, count) PARAMETER(T1, a1) PARAMETER(T2, a2) PARAMETER(T3, a3))

#if ITEMS_ARE_THREADS
#define ITEMS
#define ITEMS_TO(n) if (ITEM < (n))
#define ITEMS_BETWEEN(first, end) if (ITEM >= (first) && ITEM < (end))
#define ITEMS_GRID(width, height) if ((width) * (height) == GROUP || ITEM / (width) < (height))
#define ITEM_COLUMN(width) (ITEM % (width))
#define ITEM_ROW(width) (ITEM / (width))
#define ITEMS_ATOMIC
#define PRIVATE(T, variable) T variable
#define PRIVATE_ARRAY(T, variable, n) T variable[n]
#define ITS(variable, item) variable
#define SOME(flags) (flags)
#else
#define ITEMS ITEMS_TO((uint)GROUP)
#define ITEMS_TO(n) ITEMS_BETWEEN(0, n)
#define ITEMS_BETWEEN(first, end) \
    _Pragma("omp simd") for (uint item_ = (first); item_ < (uint)(end); item_++)
#define ITEMS_GRID(width, height) \
    for (uint row_ = 0; row_ < (height); row_++) \
    _Pragma("omp simd") for (uint item_ = row_ * (width); item_ < (row_ + 1) * (width); item_++)
#define ITEM_COLUMN(width) (item_ - row_ * (width))
#define ITEM_ROW(width) row_
#define ITEMS_ATOMIC for (uint item_ = 0; item_ < (uint)GROUP; item_++)
#define PRIVATE(T, variable) T variable[GROUP]
#define PRIVATE_ARRAY(T, variable, n) T variable[n][GROUP]
#define ITS(variable, item) variable[item]
#define SOME(flags) some_(flags, GROUP)
static inline uint some_(const uint *flags, uint count)
{
    uint any = 0;
    for (uint i = 0; i < count; i++)
        any |= flags[i];
    return any;
}
#endif
#define MINE(variable) ITS(variable, ITEM)

#if HAS_PTX
#define DOT4(a, b, n) dot4_(a, b, n)
DEVICE int dot4_(uint a, uint b, int n)
{
    int sum;
    __asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(n));
    return sum;
}
#endif

#if HAS_MATRIX_UNITS
#define MULTIPLY_BYTES(s0, s1, s2, s3, a0, a1, b) \
    __asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 " \
          "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};" \
          : "+r"(s0), "+r"(s1), "+r"(s2), "+r"(s3) \
          : "r"(a0), "r"(a1), "r"(b))
#define COPY_ASYNC(to, from) \
    __asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(LOCAL_ADDRESS(to)), "l"(from) \
                   : "memory")
#define COPIES_WAIT __asm volatile("cp.async.wait_all;" ::: "memory")
#else
#define COPIES_WAIT ((void)0)
#endif

/* MANY(bits, count, leaves), bits a PRIVATE uint. Where WARPS is 1: whether of the lowest `count`
 * bits, of all items of a warp together, more than `leaves` are set. Elsewhere: SOME(bits). */
#if defined(__CUDACC__)
#define WARPS 1
#define MANY(bits, count, leaves) many_(bits, count, leaves)
static __device__ __forceinline__ uint many_(uint bits, uint count, uint leaves)
{
    uint sum = 0;
    _Pragma("unroll") for (uint i = 0; i < count; i++) sum +=
        __popc(__ballot_sync(~0u, bits >> i & 1));
    return sum > leaves;
}
#else
#define WARPS 0
#define MANY(bits, count, leaves) SOME(bits)
#endif

/* Between 0 and 1; on CUDA it costs nothing behind an addition or a multiplication. */
#if defined(__CUDACC__)
#define SATURATE(x) __saturatef(x)
#else
#define SATURATE(x) CLAMP(x, 0.0f, 1.0f)
#endif
/* Three floats from 0 to 255, truncated, as the lower bytes of a word, the first one lowest. On
 * CUDA, where a conversion takes as long as four additions, by what 2^23 + x looks like as a word:
 * 0x4b000000 + x. */
#if defined(__CUDACC__)
#define PACK_BYTES(x, y, z) (add_2_23(x) + (add_2_23(y) << 8) + (add_2_23(z) << 16) - 0x4b000000u)
static __device__ __forceinline__ uint add_2_23(float x)
{
    return __float_as_uint(__fadd_rz(x, 8388608.0f));
}
#else
#define PACK_BYTES(x, y, z) ((uint)(x) | (uint)(y) << 8 | (uint)(z) << 16)
#endif
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define CLAMP(x, least, most) ((x) < (least) ? (least) : (x) > (most) ? (most) : (x))

/* UNROLL(n) before a loop gives a thread of an NVIDIA GPU the loads of n rounds under way at
 * once. */
#if defined(__CUDACC__) || defined(cl_nv_pragma_unroll)
#define QUOTE(text) #text
#define UNROLL(n) _Pragma(QUOTE(unroll n))
#else
#define UNROLL(n)
#endif

#ifndef KERNEL_GROUPS
#define KERNEL_GROUPS 1
#endif

#include "kernels/groups.h"

#endif
