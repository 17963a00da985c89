/* Asks NVIDIA's own occupancy calculator, the header cuda_occupancy.h of the
 * toolkit. Each line of standard input is a device and a kernel,
 *
 *   major minor threadsPerBlock threadsPerSM regsPerBlock regsPerSM sharedPerBlock sharedPerSM reserved SMs threads regs shared
 *
 * and each line of the output is
 *
 *   blocks byShared byRegisters byWarps byBlocks sharedUnit registerUnit partitions
 */
#include <stddef.h>
#include <stdio.h>

#include "cuda_occupancy.h"

int main(void)
{
    struct cudaOccDeviceProp d = {0};
    struct cudaOccFuncAttributes f = {0};
    const struct cudaOccDeviceState state = {0};
    d.warpSize = 32;
    f.partitionedGCConfig = PARTITIONED_GC_OFF;
    f.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    f.numBlockBarriers = 1;
    int threads;
    size_t shared;
    while (scanf("%d %d %d %d %d %d %zu %zu %zu %d %d %d %zu", &d.computeMajor, &d.computeMinor, &d.maxThreadsPerBlock,
                 &d.maxThreadsPerMultiprocessor, &d.regsPerBlock, &d.regsPerMultiprocessor, &d.sharedMemPerBlockOptin,
                 &d.sharedMemPerMultiprocessor, &d.reservedSharedMemPerBlock, &d.numSms, &threads, &f.numRegs, &shared) == 13) {
        struct cudaOccResult r = {0};
        struct cudaOccDeviceState s = state;
        int sharedUnit, registerUnit, partitions;
        d.sharedMemPerBlock = 49152;
        f.maxThreadsPerBlock = d.maxThreadsPerBlock;
        f.maxDynamicSharedSizeBytes = shared;
        s.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
        cudaOccError err = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &d, &f, &s, threads, shared);
        if (err == CUDA_OCC_SUCCESS)
            err = cudaOccSMemAllocationGranularity(&sharedUnit, &d);
        if (err == CUDA_OCC_SUCCESS)
            err = cudaOccRegAllocationGranularity(&registerUnit, &d);
        if (err == CUDA_OCC_SUCCESS)
            err = cudaOccSubPartitionsPerMultiprocessor(&partitions, &d);
        if (err != CUDA_OCC_SUCCESS) {
            fprintf(stderr, "error %d for %d.%d\n", err, d.computeMajor, d.computeMinor);
            return 1;
        }
        printf("%d %d %d %d %d %d %d %d\n", r.activeBlocksPerMultiprocessor, r.blockLimitSharedMem, r.blockLimitRegs,
               r.blockLimitWarps, r.blockLimitBlocks, sharedUnit, registerUnit, partitions);
    }
    return 0;
}
