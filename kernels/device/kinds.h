/* The kinds of devices: a row for each. --device, its help and completions, the self-tests and the
 * messages take them from here. */
#ifndef KINDS_H
#define KINDS_H

/* Name, backend, and whether this program was built with it. The CPU is the first, because it is
 * always there; of devices that `auto` finds equally fast, the one of the earlier row is taken. */
#define DEVICE_KINDS(KIND) \
    KIND(cpu, CPU_BACKEND, 1) \
    KIND(cuda, CUDA_BACKEND, HAVE_CUDA) \
    KIND(opencl, OPENCL_BACKEND, HAVE_OPENCL)

#endif
