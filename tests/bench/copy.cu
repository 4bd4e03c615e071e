// The bandwidth that a plain copy on the GPU reaches: what "as fast as the memory allows" means.
#include <cstdio>

int main()
{
    const size_t size = size_t(4) << 30;
    const int runs = 10;
    void *from, *to;
    cudaEvent_t start, stop;
    float milliseconds = 0;
    if (cudaMalloc(&from, size) || cudaMalloc(&to, size) || cudaMemset(from, 0x5a, size))
        return 1;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice);
    cudaEventRecord(start);
    for (int i = 0; i < runs; i++)
        cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    if (cudaEventElapsedTime(&milliseconds, start, stop))
        return 1;
    std::printf("%.2f\n", 2e-9 * size * runs / milliseconds); // TB/s, bytes read and written
}
