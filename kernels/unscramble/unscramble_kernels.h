/* The kernels of unscramble; kernels/kernels.h says what a row is. */
#ifndef UNSCRAMBLE_KERNELS_H
#define UNSCRAMBLE_KERNELS_H

#define UNSCRAMBLE_KERNELS(KERNEL) \
    KERNEL(grayscale, GRAYSCALE_GROUP, grayscale) \
    KERNEL(edges, EDGE_PIXELS, edges) \
    KERNEL(fits, EDGE_PIXELS, fits) \
    KERNEL(exhaustive, EXHAUSTIVE_GROUP, exhaustive) \
    KERNEL(pruned, PRUNED_GROUP, pruned, TURNS = 1) \
    KERNEL(pruned_halves, PRUNED_GROUP, pruned, TURNS = 2) \
    KERNEL(pruned_quarters, PRUNED_GROUP, pruned, TURNS = 4) \
    KERNEL(assemble, ASSEMBLE_GROUP, assemble) \
    KERNEL(signatures, COMPARE_TILES, signatures) \
    KERNEL(compare, COMPARE_GROUP, compare) \
    KERNEL(compare_list, COMPARE_LIST_GROUP, compare_list) \
    KERNEL(compare_rank, RANK_GROUP, compare_rank, LEARNED = 0) \
    KERNEL(compare_rank_learned, RANK_GROUP, compare_rank, LEARNED = 1) \
    KERNEL(network_inputs, NETWORK_INPUTS, network_inputs) \
    KERNEL(convolve, CONVOLVE_GROUP, convolve, CONVOLVE_OUTPUTS = NETWORK_CHANNELS) \
    KERNEL(convolve_last, CONVOLVE_GROUP, convolve, CONVOLVE_OUTPUTS = NETWORK_OUTPUTS) \
    KERNEL(mean_mix, NETWORK_CHANNELS, mean_mix)

#endif
