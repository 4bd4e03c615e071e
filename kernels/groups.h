/* What the items of a group find out together: reductions, scans, votes. A part of the dialect
 * (kernels/dialect.h), which includes it. */
#ifndef GROUPS_H
#define GROUPS_H

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

/* Turns LOCAL uint values[GROUP + 1], of which each item has written its own, into the sums of
 * those before it; values[GROUP] gets the sum of all. Ends with a SYNC.
 * In CUDA the sums of warps are aligned, so that items which load four at once read nothing else:
 * beside them may stand values[GROUP], which is written meanwhile. */
#if defined(__CUDACC__)
#define GROUP_SCAN(values) \
    { \
        __shared__ ALIGNED(16) uint sums_[(GROUP + 31) / 32]; \
        const uint lane_ = threadIdx.x % 32, warp_ = threadIdx.x / 32, own_ = values[threadIdx.x]; \
        uint sum_ = own_, before_ = 0; \
        _Pragma("unroll") for (uint step_ = 1; step_ < 32; step_ *= 2) \
        { \
            const uint other_ = __shfl_up_sync(~0u, sum_, step_); \
            sum_ += lane_ >= step_ ? other_ : 0; \
        } \
        if (lane_ == 31) \
            sums_[warp_] = sum_; \
        SYNC; \
        _Pragma("unroll") for (uint i_ = 0; i_ < (GROUP + 31) / 32; i_++) before_ += \
            i_ < warp_ ? sums_[i_] : 0; \
        values[threadIdx.x] = before_ + sum_ - own_; \
        if (threadIdx.x == GROUP - 1) \
            values[GROUP] = before_ + sum_; \
        SYNC; \
    }
#elif defined(__OPENCL_VERSION__)
#define GROUP_SCAN(values) \
    { \
        const uint own_ = values[ITEM]; \
        SYNC; \
        for (uint step_ = 1; step_ < GROUP; step_ *= 2) { \
            const uint other_ = ITEM >= step_ ? values[ITEM - step_] : 0; \
            SYNC; \
            values[ITEM] += other_; \
            SYNC; \
        } \
        if (ITEM == GROUP - 1) \
            values[GROUP] = values[ITEM]; \
        values[ITEM] -= own_; \
        SYNC; \
    }
#else
#define GROUP_SCAN(values) \
    { \
        uint sum_ = 0; \
        for (uint i_ = 0; i_ < GROUP; i_++) { \
            const uint own_ = values[i_]; \
            values[i_] = sum_; \
            sum_ += own_; \
        } \
        values[GROUP] = sum_; \
    }
#endif

/* The same for PRIVATE uint flags of 0 or 1: PRIVATE uint ranks gets how many items before each
 * have 1, and uint total how many have. LOCAL uint scratch[GROUP + 1]. Has a SYNC within. */
#if defined(__CUDACC__)
#define GROUP_RANK(scratch, flags, ranks, total) \
    { \
        const uint votes_ = __ballot_sync(~0u, flags), warp_ = threadIdx.x / 32; \
        if (threadIdx.x % 32 == 0) \
            scratch[warp_] = __popc(votes_); \
        SYNC; \
        ranks = __popc(votes_ & ((1u << threadIdx.x % 32) - 1)); \
        total = 0; \
        _Pragma("unroll") for (uint i_ = 0; i_ < (GROUP + 31) / 32; i_++) \
        { \
            ranks += i_ < warp_ ? scratch[i_] : 0; \
            total += scratch[i_]; \
        } \
    }
#else
#define GROUP_RANK(scratch, flags, ranks, total) \
    ITEMS \
    { \
        scratch[ITEM] = MINE(flags); \
    } \
    GROUP_SCAN(scratch); \
    ITEMS \
    { \
        MINE(ranks) = scratch[ITEM]; \
    } \
    total = scratch[GROUP]
#endif

/* Whether any item's PRIVATE uint is not 0, for the whole group, in a VOTE(answer) declared among
 * the kernel's variables, whose address is an IN_LOCAL uint *. Starts and ends with a SYNC. */
#if defined(__CUDACC__)
#define VOTE(answer) uint answer
#define GROUP_ANY(answer, flags) answer = (uint)__syncthreads_or((int)(flags))
#elif defined(__OPENCL_VERSION__)
#define VOTE(answer) LOCAL uint answer
#define GROUP_ANY(answer, flags) \
    { \
        SYNC; \
        if (ITEM == 0) \
            answer = 0; \
        SYNC; \
        if (flags) \
            atomic_or(&answer, 1u); \
        SYNC; \
    }
#else
#define VOTE(answer) uint answer
#define GROUP_ANY(answer, flags) answer = SOME(flags)
#endif

#endif
