
// Does so for all threads of the block, which then see what these chains have written.
static __device__ __forceinline__ void hexcc_await(const struct hexcc_order &order, long long level,
    long long x_lo, long long x_hi, long long y_lo, long long y_hi, long long z_lo, long long z_hi, long long place)
{
  hexcc_look(order, level, x_lo, x_hi, y_lo, y_hi, z_lo, z_hi, place);
  __syncthreads();
}

// Says that a chain is at a place, or has ended, and has written what all threads of the block have.
static __device__ __forceinline__ void hexcc_signal(const struct hexcc_order &order, long long level, long long x, long long y, long long z, long long place)
{
  __syncthreads();
  if (hexcc_first_thread())
    hexcc_release(&hexcc_flag(order, level, x, y, z)->place, place);
}
