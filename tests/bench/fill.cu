// The bandwidth that a plain fill on the GPU reaches, by the driver and by a kernel: what writing alone can.
#include <cstdio>

__global__ void fill(float4 *to, size_t count)
{
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += step)
        to[i] = make_float4(1, 2, 3, 4);
}

int main()
{
    const size_t size = size_t(4) << 30;
    const int runs = 10;
    void *to;
    cudaEvent_t start, stop;
    if (cudaMalloc(&to, size))
        return 1;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    for (int by_kernel = 0; by_kernel < 2; by_kernel++) {
        float milliseconds = 0;
        for (int i = -1; i < runs; i++) {
            if (i == 0)
                cudaEventRecord(start);
            if (by_kernel)
                fill<<<132 * 16, 512>>>(static_cast<float4 *>(to), size / sizeof(float4));
            else
                cudaMemsetAsync(to, 0x5a, size);
        }
        cudaEventRecord(stop);
        cudaEventSynchronize(stop);
        if (cudaEventElapsedTime(&milliseconds, start, stop))
            return 1;
        std::printf("%.1f\n", 1e-6 * size * runs / milliseconds); // GB/s
    }
}
