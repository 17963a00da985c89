// A kernel as others write them: a block moves along the rows of 64 columns, takes a step of five points, and stores the 62 columns
// whose neighbours it has.
template <class T> __global__ void along_rows(const T *A, T *B, int rows, int pitch)
{
  __shared__ T row[2][64];
  const int x = blockIdx.x * 62 + threadIdx.x;
  const int first = blockIdx.y * rows;
  A += (long)first * pitch + x;
  B += (long)first * pitch + x;
  T above = A[0], here = A[pitch];
#pragma unroll 1
  for (int i = 1; i <= rows; i++) {
    A += pitch;
    B += pitch;
    const T below = A[pitch];
    row[i % 2][threadIdx.x] = here;
    __syncthreads();
    if (threadIdx.x > 0 && threadIdx.x < 63)
      B[0] = (T)0.6 * here + (T)0.1 * (above + below + row[i % 2][threadIdx.x - 1] + row[i % 2][threadIdx.x + 1]);
    above = here;
    here = below;
  }
}

template __global__ void along_rows<float>(const float *, float *, int, int);
template __global__ void along_rows<double>(const double *, double *, int, int);
