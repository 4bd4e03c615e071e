/* The dialect that kernels are written in: one text for gcc and clang (CPU), OpenCL C 1.2 and CUDA.
 *
 *   #include "kernels/kernel.h"
 *   #define GROUP 64
 *   KERNEL3(reverse, GLOBAL const uint *, from, GLOBAL uint *, to, struct reverse_args, a)
 *   {
 *       LOCAL uint values[GROUP];
 *       ITEMS { values[ITEM] = from[GROUP_X * GROUP + ITEM]; }
 *       SYNC;
 *       ITEMS { to[GROUP_X * GROUP + ITEM] = values[GROUP - 1 - ITEM]; }
 *   }
 *
 * A kernel is a function of one work-group of GROUP items. On a GPU each item is a thread and runs
 * the text once; on the CPU one thread runs the group and ITEMS loops over its items. Hence:
 *   - code outside ITEMS must not depend on the item, and no loop or branch around SYNC may either;
 *   - only LOCAL and PRIVATE data cross a SYNC; a PRIVATE variable is reached by MINE(variable);
 *   - no return, break or continue out of ITEMS; no two items of one ITEMS write the same place;
 *   - ITEMS_TO(n) runs the first n <= GROUP items, n the same for the whole group.
 * KERNEL_CONSTANTn declares a kernel whose first argument is a table in constant memory. */
#ifndef KERNEL_H
#define KERNEL_H

#include "kernels/args.h"

#if defined(__OPENCL_VERSION__)

#pragma OPENCL FP_CONTRACT OFF
#define DEVICE
#define RESTRICT restrict
#define GLOBAL __global
#define CONSTANT __constant
#define LOCAL __local
#define GROUP_X ((uint)get_group_id(0))
#define GROUP_Y ((uint)get_group_id(1))
#define ITEM ((uint)get_local_id(0))
#define SYNC barrier(CLK_LOCAL_MEM_FENCE)
#define BITS(x) popcount(x)
#define KERNEL_BEGIN(name) __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void name
#define KERNEL3(name, T1, a1, T2, a2, T3, a3) KERNEL_BEGIN(name)(T1 a1, T2 a2, T3 a3)
#define KERNEL4(name, T1, a1, T2, a2, T3, a3, T4, a4) KERNEL_BEGIN(name)(T1 a1, T2 a2, T3 a3, T4 a4)
#define KERNEL_CONSTANT2(name, T, table, count, T1, a1, T2, a2) \
    KERNEL_BEGIN(name)(CONSTANT const T *table, T1 a1, T2 a2)
#define KERNEL_CONSTANT3(name, T, table, count, T1, a1, T2, a2, T3, a3) \
    KERNEL_BEGIN(name)(CONSTANT const T *table, T1 a1, T2 a2, T3 a3)

#elif defined(__CUDACC__)

typedef unsigned char uchar;
typedef unsigned int uint;
typedef unsigned long ulong; /* as glibc has it too: 64 bits */
#define DEVICE static __device__ __forceinline__
#define RESTRICT __restrict__
#define GLOBAL
#define LOCAL __shared__
#define GROUP_X blockIdx.x
#define GROUP_Y blockIdx.y
#define ITEM threadIdx.x
#define SYNC __syncthreads()
#define BITS(x) __popc(x)
#define KERNEL_BEGIN(name) extern "C" __global__ void __launch_bounds__(GROUP) name
#define KERNEL3(name, T1, a1, T2, a2, T3, a3) KERNEL_BEGIN(name)(T1 a1, T2 a2, T3 a3)
#define KERNEL4(name, T1, a1, T2, a2, T3, a3, T4, a4) KERNEL_BEGIN(name)(T1 a1, T2 a2, T3 a3, T4 a4)
#define KERNEL_CONSTANT2(name, T, table, count, T1, a1, T2, a2) \
    __constant__ T table[count]; \
    KERNEL_BEGIN(name)(T1 a1, T2 a2)
#define KERNEL_CONSTANT3(name, T, table, count, T1, a1, T2, a2, T3, a3) \
    __constant__ T table[count]; \
    KERNEL_BEGIN(name)(T1 a1, T2 a2, T3 a3)

#else /* the CPU; NAME_OF adds the instruction set, for which each kernel is compiled once */

#include <stdint.h>
typedef uint8_t uchar;
typedef uint32_t uint;
typedef uint64_t ulong;
struct group {
    uint x, y;
};
#define DEVICE static inline
#define RESTRICT restrict
#define GLOBAL
#define CONSTANT
#define LOCAL
#define GROUP_X group_.x
#define GROUP_Y group_.y
#define ITEM item_
#define SYNC ((void)0)
#define BITS(x) ((uint)__builtin_popcount(x))
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME_OF(name) JOIN(name, CPU_VARIANT)
#define VALUE(T, i) (*(T *)values[i])
/* The launcher calls NAME_OF(name)(group, values), values[i] pointing to argument i. */
#define KERNEL_BEGIN(name, call, ...) \
    static inline void name(struct group group_, __VA_ARGS__); \
    void NAME_OF(name)(struct group group_, void *const *values); \
    void NAME_OF(name)(struct group group_, void *const *values) \
    { \
        name call; \
    } \
    static inline void name(struct group group_, __VA_ARGS__)
#define KERNEL3(name, T1, a1, T2, a2, T3, a3) \
    KERNEL_BEGIN(name, (group_, VALUE(T1, 0), VALUE(T2, 1), VALUE(T3, 2)), T1 a1, T2 a2, T3 a3)
#define KERNEL4(name, T1, a1, T2, a2, T3, a3, T4, a4) \
    KERNEL_BEGIN(name, (group_, VALUE(T1, 0), VALUE(T2, 1), VALUE(T3, 2), VALUE(T4, 3)), T1 a1, \
        T2 a2, T3 a3, T4 a4)
#define KERNEL_CONSTANT2(name, T, table, count, T1, a1, T2, a2) \
    KERNEL3(name, const T *, table, T1, a1, T2, a2)
#define KERNEL_CONSTANT3(name, T, table, count, T1, a1, T2, a2, T3, a3) \
    KERNEL4(name, const T *, table, T1, a1, T2, a2, T3, a3)

#endif

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
#define ITEMS
#define ITEMS_TO(n) if (ITEM < (n))
#define PRIVATE(T, variable) T variable
#define MINE(variable) variable
#else
#define ITEMS ITEMS_TO((uint)GROUP)
#define ITEMS_TO(n) _Pragma("omp simd") for (uint item_ = 0; item_ < (n); item_++)
#define PRIVATE(T, variable) T variable[GROUP]
#define MINE(variable) variable[ITEM]
#endif

/* UNROLL(n) before a loop gives a thread of an NVIDIA GPU the loads of n rounds under way at once. */
#if defined(__CUDACC__) || defined(cl_nv_pragma_unroll)
#define QUOTE(text) #text
#define UNROLL(n) _Pragma(QUOTE(unroll n))
#else
#define UNROLL(n)
#endif

/* Folds LOCAL values[0 .. count) into values[0], count a power of two up to GROUP: a tree in which
 * combine(values, i, j) puts the combination of i and j at i. Ends with a SYNC. */
#define GROUP_REDUCE(values, count, combine) \
    for (uint step_ = (count) / 2; step_ > 0; step_ /= 2) { \
        SYNC; \
        ITEMS_TO(step_) { \
            combine(values, ITEM, ITEM + step_); \
        } \
    } \
    SYNC

#endif
