// jacobi-2d.hex_kernel.cu: hexcc made this from examples/jacobi-2d.c, lines 9 to 16 (function jacobi_2d).
// hybrid hexagonal/classical tiling, h=1,w0=2,w1=32, for sm_80
// partition proved for all parameter values (9 emptiness tests): each iteration is in one tile
// legality proved for all parameter values (7 emptiness tests): what depends on an iteration runs after it
// emission proved for all parameter values (558 implications): the loops below run the iterations of each tile once, and no others
// staging proved for all parameter values (784 implications): partial tiles copy in what they read and copy out what they write, no more
// full tiles proved for all parameter values (20480 reads): copies, registers and barriers of full tiles give each read the value of the program
//
// Compile with: nvcc -O3 -arch=sm_80 -c jacobi-2d.hex_kernel.cu
// The results are those of the original program, bit for bit: no operation is reordered, and a product
// that feeds a sum is written __fmul_rn or __dmul_rn, which is never contracted to a fused multiply-add.
// -use_fast_math gives that up.
#ifndef __CUDACC_RTC__
#include <atomic>
#include <chrono>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include "jacobi-2d.hex.h"
#endif

// Copies to shared memory that threads do not wait for. One that hexcc_fetch begins may be made at any time until it has arrived. To other threads
// it is a plain load by the thread that begins it, and a store before its wait (cp.async.wait_all or wait_group).
#ifndef HEXCC_FLAGS // the header of hexcc shim has its own
template <class T> static __device__ __forceinline__ void hexcc_fetch(T *to, const T *from)
{
#if __CUDA_ARCH__ >= 800
  if (sizeof(T) == 4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)) : "memory");
  else if (sizeof(T) == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" : : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)) : "memory");
  else
#endif
    *to = __ldcg(from);
}

// Waits for all copies that the thread has begun.
static __device__ __forceinline__ void hexcc_arrived()
{
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}
#endif

// floord is x / d rounded down.
static inline __host__ __device__ int floord(int x, int d) { return x / d - (x % d < 0); }

// long_floord is x / d rounded down.
static inline __host__ __device__ long long_floord(long x, long d) { return x / d - (x % d < 0); }

// long_min is the smaller one.
static inline __host__ __device__ long long_min(long x, long d) { return x < d ? x : d; }

// long_max is the larger one.
static inline __host__ __device__ long long_max(long x, long d) { return x > d ? x : d; }

// float A[2][n][n]
#define A_at(i0, i1, i2) A[((long)(i0) * n + (i1)) * n + (i2)]

// Phase 0 of time tile T: block b runs the tiles S0 = S0_lo + b.
__global__ void __launch_bounds__(32, 16)
hexcc_jacobi_2d_0_phase0(float *A, int steps, int n, int T, int S0_lo)
{
  __shared__ float shared_A[2][7][37];
  const int S0 = S0_lo + (int)blockIdx.x;
  const int tx = threadIdx.x;

  const bool full = T >= 1 && 4*T <= steps - 2; // full tile: what the launch decides
  const bool full_S0 = full && 8*S0 <= n - 2; // full tile: what the block decides
  for (int S1 = 0; S1 <= floord(n + 2, 32); S1++) {
    if (full_S0 && S1 >= 1 && 32*S1 <= n - 32) { // full tile
      unsigned row = (unsigned)n;
      float *const A_tile0 = &A_at(0, 8*S0 - 5, 32*S1 + tx - 32);
      float *const A_tile1 = &A_at(1, 8*S0 - 5, 32*S1 + tx - 32);
      asm volatile("" : "+r"(row));
      if (S1 >= 2) { // after a full tile
        // move A
        if (tx < 5) {
          shared_A[0][tx + 1][1] = shared_A[0][tx + 1][33];
          shared_A[1][tx + 1][1] = shared_A[1][tx + 1][33];
          shared_A[1][tx + 1][2] = shared_A[1][tx + 1][34];
        }
        if (tx < 7) {
          shared_A[0][tx][2] = shared_A[0][tx][34];
          shared_A[0][tx][3] = shared_A[0][tx][35];
          shared_A[0][tx][4] = shared_A[0][tx][36];
          shared_A[1][tx][3] = shared_A[1][tx][35];
        }
        if (tx < 3) {
          shared_A[1][tx + 2][0] = shared_A[1][tx + 2][32];
        }
        if (tx < 2) {
          shared_A[1][tx][4] = shared_A[1][tx][36];
          shared_A[1][tx + 5][4] = shared_A[1][tx + 5][36];
        }
      }
      __syncthreads();
      asm volatile("" : "+r"(row));
      if (S1 >= 2) { // after a full tile
        // copy in A
        hexcc_fetch(&shared_A[0][0][tx + 5], &A_tile0[32]);
        hexcc_fetch(&shared_A[0][1][tx + 5], &A_tile0[1L*row + 32]);
        hexcc_fetch(&shared_A[0][2][tx + 5], &A_tile0[2L*row + 32]);
        hexcc_fetch(&shared_A[0][3][tx + 5], &A_tile0[3L*row + 32]);
        hexcc_fetch(&shared_A[0][4][tx + 5], &A_tile0[4L*row + 32]);
        hexcc_fetch(&shared_A[0][5][tx + 5], &A_tile0[5L*row + 32]);
        hexcc_fetch(&shared_A[0][6][tx + 5], &A_tile0[6L*row + 32]);
        hexcc_fetch(&shared_A[1][0][tx + 5], &A_tile1[32]);
        hexcc_fetch(&shared_A[1][1][tx + 5], &A_tile1[1L*row + 32]);
        hexcc_fetch(&shared_A[1][5][tx + 5], &A_tile1[5L*row + 32]);
        hexcc_fetch(&shared_A[1][6][tx + 5], &A_tile1[6L*row + 32]);
      } else {
        // copy in A
        if (tx >= 29) {
          hexcc_fetch(&shared_A[0][0][tx - 27], &A_tile0[0]);
          hexcc_fetch(&shared_A[0][6][tx - 27], &A_tile0[6L*row]);
        }
        hexcc_fetch(&shared_A[0][0][tx + 5], &A_tile0[32]);
        hexcc_fetch(&shared_A[0][1][tx + 5], &A_tile0[1L*row + 32]);
        hexcc_fetch(&shared_A[0][2][tx + 5], &A_tile0[2L*row + 32]);
        hexcc_fetch(&shared_A[0][3][tx + 5], &A_tile0[3L*row + 32]);
        hexcc_fetch(&shared_A[0][4][tx + 5], &A_tile0[4L*row + 32]);
        hexcc_fetch(&shared_A[0][5][tx + 5], &A_tile0[5L*row + 32]);
        hexcc_fetch(&shared_A[0][6][tx + 5], &A_tile0[6L*row + 32]);
        hexcc_fetch(&shared_A[1][0][tx + 5], &A_tile1[32]);
        hexcc_fetch(&shared_A[1][1][tx + 5], &A_tile1[1L*row + 32]);
        hexcc_fetch(&shared_A[1][5][tx + 5], &A_tile1[5L*row + 32]);
        hexcc_fetch(&shared_A[1][6][tx + 5], &A_tile1[6L*row + 32]);
        if (tx >= 28) {
          asm volatile("" : "+r"(row));
          hexcc_fetch(&shared_A[0][1][tx - 27], &A_tile0[1L*row]);
          hexcc_fetch(&shared_A[0][2][tx - 27], &A_tile0[2L*row]);
          hexcc_fetch(&shared_A[0][3][tx - 27], &A_tile0[3L*row]);
          hexcc_fetch(&shared_A[0][4][tx - 27], &A_tile0[4L*row]);
          hexcc_fetch(&shared_A[0][5][tx - 27], &A_tile0[5L*row]);
          hexcc_fetch(&shared_A[1][1][tx - 27], &A_tile1[1L*row]);
          hexcc_fetch(&shared_A[1][5][tx - 27], &A_tile1[5L*row]);
        }
        if (tx >= 30) {
          hexcc_fetch(&shared_A[1][0][tx - 27], &A_tile1[0]);
          hexcc_fetch(&shared_A[1][6][tx - 27], &A_tile1[6L*row]);
        }
        if (tx >= 27 && tx < 31) {
          hexcc_fetch(&shared_A[1][2][tx - 27], &A_tile1[2L*row]);
          hexcc_fetch(&shared_A[1][3][tx - 27], &A_tile1[3L*row]);
          hexcc_fetch(&shared_A[1][4][tx - 27], &A_tile1[4L*row]);
        }
      }
      hexcc_arrived();
      __syncthreads();
      asm volatile("" : "+r"(row));
      // step 0: S0
      const float A_0_2_4 = shared_A[0][2][tx + 4];
      const float A_0_3_4 = shared_A[0][3][tx + 4];
      const float A_0_1_4 = shared_A[0][1][tx + 4];
      const float A_0_2_3 = shared_A[0][2][tx + 3];
      const float A_0_2_5 = shared_A[0][2][tx + 5];
      const float A_0_4_4 = shared_A[0][4][tx + 4];
      const float A_0_3_3 = shared_A[0][3][tx + 3];
      const float A_0_3_5 = shared_A[0][3][tx + 5];
      const float A_0_5_4 = shared_A[0][5][tx + 4];
      const float A_0_4_3 = shared_A[0][4][tx + 3];
      const float A_0_4_5 = shared_A[0][4][tx + 5];
      const float A_1_2_4 = __fmul_rn(0.2f, A_0_2_4 + A_0_1_4 + A_0_3_4 + A_0_2_3 + A_0_2_5);
      shared_A[1][2][tx + 4] = A_1_2_4;
      const float A_1_3_4 = __fmul_rn(0.2f, A_0_3_4 + A_0_2_4 + A_0_4_4 + A_0_3_3 + A_0_3_5);
      shared_A[1][3][tx + 4] = A_1_3_4;
      const float A_1_4_4 = __fmul_rn(0.2f, A_0_4_4 + A_0_3_4 + A_0_5_4 + A_0_4_3 + A_0_4_5);
      shared_A[1][4][tx + 4] = A_1_4_4;
      __syncthreads();
      asm volatile("" : "+r"(row));
      // step 1: S0
      const float A_1_1_3 = shared_A[1][1][tx + 3];
      const float A_1_2_3 = shared_A[1][2][tx + 3];
      const float A_1_0_3 = shared_A[1][0][tx + 3];
      const float A_1_1_2 = shared_A[1][1][tx + 2];
      const float A_1_1_4 = shared_A[1][1][tx + 4];
      const float A_1_3_3 = shared_A[1][3][tx + 3];
      const float A_1_2_2 = shared_A[1][2][tx + 2];
      const float A_1_4_3 = shared_A[1][4][tx + 3];
      const float A_1_3_2 = shared_A[1][3][tx + 2];
      const float A_1_5_3 = shared_A[1][5][tx + 3];
      const float A_1_4_2 = shared_A[1][4][tx + 2];
      const float A_1_6_3 = shared_A[1][6][tx + 3];
      const float A_1_5_2 = shared_A[1][5][tx + 2];
      const float A_1_5_4 = shared_A[1][5][tx + 4];
      const float A_0_1_3 = __fmul_rn(0.2f, A_1_1_3 + A_1_0_3 + A_1_2_3 + A_1_1_2 + A_1_1_4);
      shared_A[0][1][tx + 3] = A_0_1_3;
      const float A_0_2_3_ = __fmul_rn(0.2f, A_1_2_3 + A_1_1_3 + A_1_3_3 + A_1_2_2 + A_1_2_4);
      shared_A[0][2][tx + 3] = A_0_2_3_;
      const float A_0_3_3_ = __fmul_rn(0.2f, A_1_3_3 + A_1_2_3 + A_1_4_3 + A_1_3_2 + A_1_3_4);
      shared_A[0][3][tx + 3] = A_0_3_3_;
      const float A_0_4_3_ = __fmul_rn(0.2f, A_1_4_3 + A_1_3_3 + A_1_5_3 + A_1_4_2 + A_1_4_4);
      shared_A[0][4][tx + 3] = A_0_4_3_;
      const float A_0_5_3 = __fmul_rn(0.2f, A_1_5_3 + A_1_4_3 + A_1_6_3 + A_1_5_2 + A_1_5_4);
      shared_A[0][5][tx + 3] = A_0_5_3;
      // store A
      A_tile0[1L*row + 30] = A_0_1_3;
      A_tile0[5L*row + 30] = A_0_5_3;
      __syncthreads();
      asm volatile("" : "+r"(row));
      // step 2: S0
      const float A_0_1_2 = shared_A[0][1][tx + 2];
      const float A_0_2_2 = shared_A[0][2][tx + 2];
      const float A_0_0_2 = shared_A[0][0][tx + 2];
      const float A_0_1_1 = shared_A[0][1][tx + 1];
      const float A_0_3_2 = shared_A[0][3][tx + 2];
      const float A_0_2_1 = shared_A[0][2][tx + 1];
      const float A_0_4_2 = shared_A[0][4][tx + 2];
      const float A_0_3_1 = shared_A[0][3][tx + 1];
      const float A_0_5_2 = shared_A[0][5][tx + 2];
      const float A_0_4_1 = shared_A[0][4][tx + 1];
      const float A_0_6_2 = shared_A[0][6][tx + 2];
      const float A_0_5_1 = shared_A[0][5][tx + 1];
      const float A_1_1_2_ = __fmul_rn(0.2f, A_0_1_2 + A_0_0_2 + A_0_2_2 + A_0_1_1 + A_0_1_3);
      shared_A[1][1][tx + 2] = A_1_1_2_;
      const float A_1_2_2_ = __fmul_rn(0.2f, A_0_2_2 + A_0_1_2 + A_0_3_2 + A_0_2_1 + A_0_2_3_);
      shared_A[1][2][tx + 2] = A_1_2_2_;
      const float A_1_3_2_ = __fmul_rn(0.2f, A_0_3_2 + A_0_2_2 + A_0_4_2 + A_0_3_1 + A_0_3_3_);
      shared_A[1][3][tx + 2] = A_1_3_2_;
      const float A_1_4_2_ = __fmul_rn(0.2f, A_0_4_2 + A_0_3_2 + A_0_5_2 + A_0_4_1 + A_0_4_3_);
      shared_A[1][4][tx + 2] = A_1_4_2_;
      const float A_1_5_2_ = __fmul_rn(0.2f, A_0_5_2 + A_0_4_2 + A_0_6_2 + A_0_5_1 + A_0_5_3);
      shared_A[1][5][tx + 2] = A_1_5_2_;
      // store A
      A_tile1[1L*row + 29] = A_1_1_2_;
      A_tile1[2L*row + 29] = A_1_2_2_;
      A_tile1[3L*row + 29] = A_1_3_2_;
      A_tile1[4L*row + 29] = A_1_4_2_;
      A_tile1[5L*row + 29] = A_1_5_2_;
      __syncthreads();
      asm volatile("" : "+r"(row));
      // step 3: S0
      const float A_1_2_1 = shared_A[1][2][tx + 1];
      const float A_1_3_1 = shared_A[1][3][tx + 1];
      const float A_1_1_1 = shared_A[1][1][tx + 1];
      const float A_1_2_0 = shared_A[1][2][tx];
      const float A_1_4_1 = shared_A[1][4][tx + 1];
      const float A_1_3_0 = shared_A[1][3][tx];
      const float A_1_5_1 = shared_A[1][5][tx + 1];
      const float A_1_4_0 = shared_A[1][4][tx];
      const float A_0_2_1_ = __fmul_rn(0.2f, A_1_2_1 + A_1_1_1 + A_1_3_1 + A_1_2_0 + A_1_2_2_);
      shared_A[0][2][tx + 1] = A_0_2_1_;
      const float A_0_3_1_ = __fmul_rn(0.2f, A_1_3_1 + A_1_2_1 + A_1_4_1 + A_1_3_0 + A_1_3_2_);
      shared_A[0][3][tx + 1] = A_0_3_1_;
      const float A_0_4_1_ = __fmul_rn(0.2f, A_1_4_1 + A_1_3_1 + A_1_5_1 + A_1_4_0 + A_1_4_2_);
      shared_A[0][4][tx + 1] = A_0_4_1_;
      // store A
      A_tile0[2L*row + 28] = A_0_2_1_;
      A_tile0[3L*row + 28] = A_0_3_1_;
      A_tile0[4L*row + 28] = A_0_4_1_;
      __syncthreads(); // before the next tile
      asm volatile("" : "+r"(row));
      if (32*S1 >= n - 63) { // before a tile that is not full
        // store A, which no full tile writes again
        for (int c0 = 2; c0 <= 4; c0++) {
          if (tx < 2) {
            const int c1 = 33 + tx;
            A_at(0, 8*S0 + c0 - 5, 32*S1 + c1 - 5) = shared_A[0][c0][c1];
          }
        }
        for (int c0 = 2; c0 <= 4; c0++) {
          if (tx < 2) {
            const int c1 = 34 + tx;
            A_at(1, 8*S0 + c0 - 5, 32*S1 + c1 - 5) = shared_A[1][c0][c1];
          }
        }
        __syncthreads();
        asm volatile("" : "+r"(row));
      }
    } else {
      // copy in A
      #pragma unroll 1
      for (int c0 = max(0, 5 - 8*S0); c0 <= min(6, n - 8*S0 + 4); c0++) {
        #pragma unroll 1
        for (int c1 = max(max(max(1, 2 - c0), c0 - 4), 5 - 32*S1) + tx;
            c1 <= min(min(min(36, c0 + 34), 40 - c0), n - 32*S1 + 4); c1 += 32) {
          hexcc_fetch(&shared_A[0][c0][c1], &A_at(0, 8*S0 + c0 - 5, 32*S1 + c1 - 5));
        }
      }
      #pragma unroll 1
      for (int c0 = max(0, 5 - 8*S0); c0 <= min(6, n - 8*S0 + 4); c0++) {
        #pragma unroll 1
        for (int c1 = max(max(max(0, 2 - c0), c0 - 4), 5 - 32*S1) + tx;
            c1 <= min(min(min(35, c0 + 34), 40 - c0), n - 32*S1 + 4); c1 += 32) {
          hexcc_fetch(&shared_A[1][c0][c1], &A_at(1, 8*S0 + c0 - 5, 32*S1 + c1 - 5));
        }
      }
      hexcc_arrived();
      __syncthreads();
      if (T >= 1) {
        // step 0: S0
        #pragma unroll 1
        for (int b0 = max(1, 5 - 8*S0); b0 <= min(3, n - 8*S0 + 2); b0++) {
          #pragma unroll 1
          for (int b1 = max(0, 2 - 32*S1) + tx; b1 <= min(31, n - 32*S1 - 1); b1 += 32) {
            shared_A[1][b0 + 1][b1 + 4] = 0.2f * (shared_A[0][b0 + 1][b1 + 4] + shared_A[0][b0][b1 + 4]
                + shared_A[0][b0 + 2][b1 + 4] + shared_A[0][b0 + 1][b1 + 3] + shared_A[0][b0 + 1][b1 + 5]);
          }
        }
      }
      __syncthreads();
      if (T >= 1 && 4*T <= steps) {
        // step 1: S0
        #pragma unroll 1
        for (int b0 = max(0, 5 - 8*S0); b0 <= min(4, n - 8*S0 + 2); b0++) {
          #pragma unroll 1
          for (int b1 = max(-1, 2 - 32*S1) + tx; b1 <= min(30, n - 32*S1 - 1); b1 += 32) {
            shared_A[0][b0 + 1][b1 + 4] = 0.2f * (shared_A[1][b0 + 1][b1 + 4] + shared_A[1][b0][b1 + 4]
                + shared_A[1][b0 + 2][b1 + 4] + shared_A[1][b0 + 1][b1 + 3] + shared_A[1][b0 + 1][b1 + 5]);
          }
        }
      }
      __syncthreads();
      if (4*T <= steps - 1) {
        // step 2: S0
        #pragma unroll 1
        for (int b0 = max(0, 5 - 8*S0); b0 <= min(4, n - 8*S0 + 2); b0++) {
          #pragma unroll 1
          for (int b1 = max(-2, 2 - 32*S1) + tx; b1 <= min(29, n - 32*S1 - 1); b1 += 32) {
            shared_A[1][b0 + 1][b1 + 4] = 0.2f * (shared_A[0][b0 + 1][b1 + 4] + shared_A[0][b0][b1 + 4]
                + shared_A[0][b0 + 2][b1 + 4] + shared_A[0][b0 + 1][b1 + 3] + shared_A[0][b0 + 1][b1 + 5]);
          }
        }
      }
      __syncthreads();
      if (4*T <= steps - 2) {
        // step 3: S0
        #pragma unroll 1
        for (int b0 = max(1, 5 - 8*S0); b0 <= min(3, n - 8*S0 + 2); b0++) {
          #pragma unroll 1
          for (int b1 = max(-3, 2 - 32*S1) + tx; b1 <= min(28, n - 32*S1 - 1); b1 += 32) {
            shared_A[0][b0 + 1][b1 + 4] = 0.2f * (shared_A[1][b0 + 1][b1 + 4] + shared_A[1][b0][b1 + 4]
                + shared_A[1][b0 + 2][b1 + 4] + shared_A[1][b0 + 1][b1 + 3] + shared_A[1][b0 + 1][b1 + 5]);
          }
        }
      }
      __syncthreads();
      // copy out A
      #pragma unroll 1
      for (int c0 = max(1, 6 - 8*S0); c0 <= min(5, n - 8*S0 + 3); c0++) {
        #pragma unroll 1
        for (int c1 = max(max(max(1, 3 - c0), c0 - 3), 6 - 32*S1) + tx; c1 <= min(34, n - 32*S1 + 3);
            c1 += 32) {
          if ((c0 >= 1 && c0 <= 5 && c1 >= 3 && c1 <= 34 && T >= 1 && 4*T <= steps) || (c0 >= 2 && c0 <= 4
              && c1 >= 1 && c1 <= 32 && T >= 0 && 4*T <= steps - 2)) {
            A_at(0, 8*S0 + c0 - 5, 32*S1 + c1 - 5) = shared_A[0][c0][c1];
          }
        }
      }
      #pragma unroll 1
      for (int c0 = max(1, 6 - 8*S0); c0 <= min(5, n - 8*S0 + 3); c0++) {
        #pragma unroll 1
        for (int c1 = max(2, 6 - 32*S1) + tx; c1 <= min(min(min(35, c0 + 33), 39 - c0), n - 32*S1 + 3);
            c1 += 32) {
          if ((c0 >= 2 && c0 <= 4 && c1 >= 4 && c1 <= 35 && T >= 1 && 4*T <= steps + 1)
              || (c0 >= 1 && c0 <= 5 && c1 >= 2 && c1 <= 33 && T >= 0 && 4*T <= steps - 1)) {
            A_at(1, 8*S0 + c0 - 5, 32*S1 + c1 - 5) = shared_A[1][c0][c1];
          }
        }
      }
      __syncthreads(); // before the next tile
    }
  }
}

// Phase 1 of time tile T: block b runs the tiles S0 = S0_lo + b.
__global__ void __launch_bounds__(32, 16)
hexcc_jacobi_2d_0_phase1(float *A, int steps, int n, int T, int S0_lo)
{
  __shared__ float shared_A[2][7][37];
  const int S0 = S0_lo + (int)blockIdx.x;
  const int tx = threadIdx.x;

  const bool full = 4*T <= steps - 4; // full tile: what the launch decides
  const bool full_S0 = full && S0 >= 1 && 8*S0 <= n - 6; // full tile: what the block decides
  for (int S1 = 0; S1 <= floord(n + 2, 32); S1++) {
    if (full_S0 && S1 >= 1 && 32*S1 <= n - 32) { // full tile
      unsigned row = (unsigned)n;
      float *const A_tile0 = &A_at(0, 8*S0 - 1, 32*S1 + tx - 32);
      float *const A_tile1 = &A_at(1, 8*S0 - 1, 32*S1 + tx - 32);
      asm volatile("" : "+r"(row));
      if (S1 >= 2) { // after a full tile
        // move A
        if (tx < 5) {
          shared_A[0][tx + 1][1] = shared_A[0][tx + 1][33];
          shared_A[1][tx + 1][1] = shared_A[1][tx + 1][33];
          shared_A[1][tx + 1][2] = shared_A[1][tx + 1][34];
        }
        if (tx < 7) {
          shared_A[0][tx][2] = shared_A[0][tx][34];
          shared_A[0][tx][3] = shared_A[0][tx][35];
          shared_A[0][tx][4] = shared_A[0][tx][36];
          shared_A[1][tx][3] = shared_A[1][tx][35];
        }
        if (tx < 3) {
          shared_A[1][tx + 2][0] = shared_A[1][tx + 2][32];
        }
        if (tx < 2) {
          shared_A[1][tx][4] = shared_A[1][tx][36];
          shared_A[1][tx + 5][4] = shared_A[1][tx + 5][36];
        }
      }
      __syncthreads();
      asm volatile("" : "+r"(row));
      if (S1 >= 2) { // after a full tile
        // copy in A
        hexcc_fetch(&shared_A[0][0][tx + 5], &A_tile0[32]);
        hexcc_fetch(&shared_A[0][1][tx + 5], &A_tile0[1L*row + 32]);
        hexcc_fetch(&shared_A[0][2][tx + 5], &A_tile0[2L*row + 32]);
        hexcc_fetch(&shared_A[0][3][tx + 5], &A_tile0[3L*row + 32]);
        hexcc_fetch(&shared_A[0][4][tx + 5], &A_tile0[4L*row + 32]);
        hexcc_fetch(&shared_A[0][5][tx + 5], &A_tile0[5L*row + 32]);
        hexcc_fetch(&shared_A[0][6][tx + 5], &A_tile0[6L*row + 32]);
        hexcc_fetch(&shared_A[1][0][tx + 5], &A_tile1[32]);
        hexcc_fetch(&shared_A[1][1][tx + 5], &A_tile1[1L*row + 32]);
        hexcc_fetch(&shared_A[1][5][tx + 5], &A_tile1[5L*row + 32]);
        hexcc_fetch(&shared_A[1][6][tx + 5], &A_tile1[6L*row + 32]);
      } else {
        // copy in A
        if (tx >= 29) {
          hexcc_fetch(&shared_A[0][0][tx - 27], &A_tile0[0]);
          hexcc_fetch(&shared_A[0][6][tx - 27], &A_tile0[6L*row]);
        }
        hexcc_fetch(&shared_A[0][0][tx + 5], &A_tile0[32]);
        hexcc_fetch(&shared_A[0][1][tx + 5], &A_tile0[1L*row + 32]);
        hexcc_fetch(&shared_A[0][2][tx + 5], &A_tile0[2L*row + 32]);
        hexcc_fetch(&shared_A[0][3][tx + 5], &A_tile0[3L*row + 32]);
        hexcc_fetch(&shared_A[0][4][tx + 5], &A_tile0[4L*row + 32]);
        hexcc_fetch(&shared_A[0][5][tx + 5], &A_tile0[5L*row + 32]);
        hexcc_fetch(&shared_A[0][6][tx + 5], &A_tile0[6L*row + 32]);
        hexcc_fetch(&shared_A[1][0][tx + 5], &A_tile1[32]);
        hexcc_fetch(&shared_A[1][1][tx + 5], &A_tile1[1L*row + 32]);
        hexcc_fetch(&shared_A[1][5][tx + 5], &A_tile1[5L*row + 32]);
        hexcc_fetch(&shared_A[1][6][tx + 5], &A_tile1[6L*row + 32]);
        if (tx >= 28) {
          asm volatile("" : "+r"(row));
          hexcc_fetch(&shared_A[0][1][tx - 27], &A_tile0[1L*row]);
          hexcc_fetch(&shared_A[0][2][tx - 27], &A_tile0[2L*row]);
          hexcc_fetch(&shared_A[0][3][tx - 27], &A_tile0[3L*row]);
          hexcc_fetch(&shared_A[0][4][tx - 27], &A_tile0[4L*row]);
          hexcc_fetch(&shared_A[0][5][tx - 27], &A_tile0[5L*row]);
          hexcc_fetch(&shared_A[1][1][tx - 27], &A_tile1[1L*row]);
          hexcc_fetch(&shared_A[1][5][tx - 27], &A_tile1[5L*row]);
        }
        if (tx >= 30) {
          hexcc_fetch(&shared_A[1][0][tx - 27], &A_tile1[0]);
          hexcc_fetch(&shared_A[1][6][tx - 27], &A_tile1[6L*row]);
        }
        if (tx >= 27 && tx < 31) {
          hexcc_fetch(&shared_A[1][2][tx - 27], &A_tile1[2L*row]);
          hexcc_fetch(&shared_A[1][3][tx - 27], &A_tile1[3L*row]);
          hexcc_fetch(&shared_A[1][4][tx - 27], &A_tile1[4L*row]);
        }
      }
      hexcc_arrived();
      __syncthreads();
      asm volatile("" : "+r"(row));
      // step 0: S0
      const float A_0_2_4 = shared_A[0][2][tx + 4];
      const float A_0_3_4 = shared_A[0][3][tx + 4];
      const float A_0_1_4 = shared_A[0][1][tx + 4];
      const float A_0_2_3 = shared_A[0][2][tx + 3];
      const float A_0_2_5 = shared_A[0][2][tx + 5];
      const float A_0_4_4 = shared_A[0][4][tx + 4];
      const float A_0_3_3 = shared_A[0][3][tx + 3];
      const float A_0_3_5 = shared_A[0][3][tx + 5];
      const float A_0_5_4 = shared_A[0][5][tx + 4];
      const float A_0_4_3 = shared_A[0][4][tx + 3];
      const float A_0_4_5 = shared_A[0][4][tx + 5];
      const float A_1_2_4 = __fmul_rn(0.2f, A_0_2_4 + A_0_1_4 + A_0_3_4 + A_0_2_3 + A_0_2_5);
      shared_A[1][2][tx + 4] = A_1_2_4;
      const float A_1_3_4 = __fmul_rn(0.2f, A_0_3_4 + A_0_2_4 + A_0_4_4 + A_0_3_3 + A_0_3_5);
      shared_A[1][3][tx + 4] = A_1_3_4;
      const float A_1_4_4 = __fmul_rn(0.2f, A_0_4_4 + A_0_3_4 + A_0_5_4 + A_0_4_3 + A_0_4_5);
      shared_A[1][4][tx + 4] = A_1_4_4;
      __syncthreads();
      asm volatile("" : "+r"(row));
      // step 1: S0
      const float A_1_1_3 = shared_A[1][1][tx + 3];
      const float A_1_2_3 = shared_A[1][2][tx + 3];
      const float A_1_0_3 = shared_A[1][0][tx + 3];
      const float A_1_1_2 = shared_A[1][1][tx + 2];
      const float A_1_1_4 = shared_A[1][1][tx + 4];
      const float A_1_3_3 = shared_A[1][3][tx + 3];
      const float A_1_2_2 = shared_A[1][2][tx + 2];
      const float A_1_4_3 = shared_A[1][4][tx + 3];
      const float A_1_3_2 = shared_A[1][3][tx + 2];
      const float A_1_5_3 = shared_A[1][5][tx + 3];
      const float A_1_4_2 = shared_A[1][4][tx + 2];
      const float A_1_6_3 = shared_A[1][6][tx + 3];
      const float A_1_5_2 = shared_A[1][5][tx + 2];
      const float A_1_5_4 = shared_A[1][5][tx + 4];
      const float A_0_1_3 = __fmul_rn(0.2f, A_1_1_3 + A_1_0_3 + A_1_2_3 + A_1_1_2 + A_1_1_4);
      shared_A[0][1][tx + 3] = A_0_1_3;
      const float A_0_2_3_ = __fmul_rn(0.2f, A_1_2_3 + A_1_1_3 + A_1_3_3 + A_1_2_2 + A_1_2_4);
      shared_A[0][2][tx + 3] = A_0_2_3_;
      const float A_0_3_3_ = __fmul_rn(0.2f, A_1_3_3 + A_1_2_3 + A_1_4_3 + A_1_3_2 + A_1_3_4);
      shared_A[0][3][tx + 3] = A_0_3_3_;
      const float A_0_4_3_ = __fmul_rn(0.2f, A_1_4_3 + A_1_3_3 + A_1_5_3 + A_1_4_2 + A_1_4_4);
      shared_A[0][4][tx + 3] = A_0_4_3_;
      const float A_0_5_3 = __fmul_rn(0.2f, A_1_5_3 + A_1_4_3 + A_1_6_3 + A_1_5_2 + A_1_5_4);
      shared_A[0][5][tx + 3] = A_0_5_3;
      // store A
      A_tile0[1L*row + 30] = A_0_1_3;
      A_tile0[5L*row + 30] = A_0_5_3;
      __syncthreads();
      asm volatile("" : "+r"(row));
      // step 2: S0
      const float A_0_1_2 = shared_A[0][1][tx + 2];
      const float A_0_2_2 = shared_A[0][2][tx + 2];
      const float A_0_0_2 = shared_A[0][0][tx + 2];
      const float A_0_1_1 = shared_A[0][1][tx + 1];
      const float A_0_3_2 = shared_A[0][3][tx + 2];
      const float A_0_2_1 = shared_A[0][2][tx + 1];
      const float A_0_4_2 = shared_A[0][4][tx + 2];
      const float A_0_3_1 = shared_A[0][3][tx + 1];
      const float A_0_5_2 = shared_A[0][5][tx + 2];
      const float A_0_4_1 = shared_A[0][4][tx + 1];
      const float A_0_6_2 = shared_A[0][6][tx + 2];
      const float A_0_5_1 = shared_A[0][5][tx + 1];
      const float A_1_1_2_ = __fmul_rn(0.2f, A_0_1_2 + A_0_0_2 + A_0_2_2 + A_0_1_1 + A_0_1_3);
      shared_A[1][1][tx + 2] = A_1_1_2_;
      const float A_1_2_2_ = __fmul_rn(0.2f, A_0_2_2 + A_0_1_2 + A_0_3_2 + A_0_2_1 + A_0_2_3_);
      shared_A[1][2][tx + 2] = A_1_2_2_;
      const float A_1_3_2_ = __fmul_rn(0.2f, A_0_3_2 + A_0_2_2 + A_0_4_2 + A_0_3_1 + A_0_3_3_);
      shared_A[1][3][tx + 2] = A_1_3_2_;
      const float A_1_4_2_ = __fmul_rn(0.2f, A_0_4_2 + A_0_3_2 + A_0_5_2 + A_0_4_1 + A_0_4_3_);
      shared_A[1][4][tx + 2] = A_1_4_2_;
      const float A_1_5_2_ = __fmul_rn(0.2f, A_0_5_2 + A_0_4_2 + A_0_6_2 + A_0_5_1 + A_0_5_3);
      shared_A[1][5][tx + 2] = A_1_5_2_;
      // store A
      A_tile1[1L*row + 29] = A_1_1_2_;
      A_tile1[2L*row + 29] = A_1_2_2_;
      A_tile1[3L*row + 29] = A_1_3_2_;
      A_tile1[4L*row + 29] = A_1_4_2_;
      A_tile1[5L*row + 29] = A_1_5_2_;
      __syncthreads();
      asm volatile("" : "+r"(row));
      // step 3: S0
      const float A_1_2_1 = shared_A[1][2][tx + 1];
      const float A_1_3_1 = shared_A[1][3][tx + 1];
      const float A_1_1_1 = shared_A[1][1][tx + 1];
      const float A_1_2_0 = shared_A[1][2][tx];
      const float A_1_4_1 = shared_A[1][4][tx + 1];
      const float A_1_3_0 = shared_A[1][3][tx];
      const float A_1_5_1 = shared_A[1][5][tx + 1];
      const float A_1_4_0 = shared_A[1][4][tx];
      const float A_0_2_1_ = __fmul_rn(0.2f, A_1_2_1 + A_1_1_1 + A_1_3_1 + A_1_2_0 + A_1_2_2_);
      shared_A[0][2][tx + 1] = A_0_2_1_;
      const float A_0_3_1_ = __fmul_rn(0.2f, A_1_3_1 + A_1_2_1 + A_1_4_1 + A_1_3_0 + A_1_3_2_);
      shared_A[0][3][tx + 1] = A_0_3_1_;
      const float A_0_4_1_ = __fmul_rn(0.2f, A_1_4_1 + A_1_3_1 + A_1_5_1 + A_1_4_0 + A_1_4_2_);
      shared_A[0][4][tx + 1] = A_0_4_1_;
      // store A
      A_tile0[2L*row + 28] = A_0_2_1_;
      A_tile0[3L*row + 28] = A_0_3_1_;
      A_tile0[4L*row + 28] = A_0_4_1_;
      __syncthreads(); // before the next tile
      asm volatile("" : "+r"(row));
      if (32*S1 >= n - 63) { // before a tile that is not full
        // store A, which no full tile writes again
        for (int c0 = 2; c0 <= 4; c0++) {
          if (tx < 2) {
            const int c1 = 33 + tx;
            A_at(0, 8*S0 + c0 - 1, 32*S1 + c1 - 5) = shared_A[0][c0][c1];
          }
        }
        for (int c0 = 2; c0 <= 4; c0++) {
          if (tx < 2) {
            const int c1 = 34 + tx;
            A_at(1, 8*S0 + c0 - 1, 32*S1 + c1 - 5) = shared_A[1][c0][c1];
          }
        }
        __syncthreads();
        asm volatile("" : "+r"(row));
      }
    } else {
      // copy in A
      #pragma unroll 1
      for (int c0 = max(0, 1 - 8*S0); c0 <= min(6, n - 8*S0); c0++) {
        #pragma unroll 1
        for (int c1 = max(max(max(1, 2 - c0), c0 - 4), 5 - 32*S1) + tx;
            c1 <= min(min(min(36, c0 + 34), 40 - c0), n - 32*S1 + 4); c1 += 32) {
          hexcc_fetch(&shared_A[0][c0][c1], &A_at(0, 8*S0 + c0 - 1, 32*S1 + c1 - 5));
        }
      }
      #pragma unroll 1
      for (int c0 = max(0, 1 - 8*S0); c0 <= min(6, n - 8*S0); c0++) {
        #pragma unroll 1
        for (int c1 = max(max(max(0, 2 - c0), c0 - 4), 5 - 32*S1) + tx;
            c1 <= min(min(min(35, c0 + 34), 40 - c0), n - 32*S1 + 4); c1 += 32) {
          hexcc_fetch(&shared_A[1][c0][c1], &A_at(1, 8*S0 + c0 - 1, 32*S1 + c1 - 5));
        }
      }
      hexcc_arrived();
      __syncthreads();
      if (4*T <= steps - 1) {
        // step 0: S0
        #pragma unroll 1
        for (int b0 = max(1, 1 - 8*S0); b0 <= min(3, n - 8*S0 - 2); b0++) {
          #pragma unroll 1
          for (int b1 = max(0, 2 - 32*S1) + tx; b1 <= min(31, n - 32*S1 - 1); b1 += 32) {
            shared_A[1][b0 + 1][b1 + 4] = 0.2f * (shared_A[0][b0 + 1][b1 + 4] + shared_A[0][b0][b1 + 4]
                + shared_A[0][b0 + 2][b1 + 4] + shared_A[0][b0 + 1][b1 + 3] + shared_A[0][b0 + 1][b1 + 5]);
          }
        }
      }
      __syncthreads();
      if (4*T <= steps - 2) {
        // step 1: S0
        #pragma unroll 1
        for (int b0 = max(0, 1 - 8*S0); b0 <= min(4, n - 8*S0 - 2); b0++) {
          #pragma unroll 1
          for (int b1 = max(-1, 2 - 32*S1) + tx; b1 <= min(30, n - 32*S1 - 1); b1 += 32) {
            shared_A[0][b0 + 1][b1 + 4] = 0.2f * (shared_A[1][b0 + 1][b1 + 4] + shared_A[1][b0][b1 + 4]
                + shared_A[1][b0 + 2][b1 + 4] + shared_A[1][b0 + 1][b1 + 3] + shared_A[1][b0 + 1][b1 + 5]);
          }
        }
      }
      __syncthreads();
      if (4*T <= steps - 3) {
        // step 2: S0
        #pragma unroll 1
        for (int b0 = max(0, 1 - 8*S0); b0 <= min(4, n - 8*S0 - 2); b0++) {
          #pragma unroll 1
          for (int b1 = max(-2, 2 - 32*S1) + tx; b1 <= min(29, n - 32*S1 - 1); b1 += 32) {
            shared_A[1][b0 + 1][b1 + 4] = 0.2f * (shared_A[0][b0 + 1][b1 + 4] + shared_A[0][b0][b1 + 4]
                + shared_A[0][b0 + 2][b1 + 4] + shared_A[0][b0 + 1][b1 + 3] + shared_A[0][b0 + 1][b1 + 5]);
          }
        }
      }
      __syncthreads();
      if (4*T <= steps - 4) {
        // step 3: S0
        #pragma unroll 1
        for (int b0 = max(1, 1 - 8*S0); b0 <= min(3, n - 8*S0 - 2); b0++) {
          #pragma unroll 1
          for (int b1 = max(-3, 2 - 32*S1) + tx; b1 <= min(28, n - 32*S1 - 1); b1 += 32) {
            shared_A[0][b0 + 1][b1 + 4] = 0.2f * (shared_A[1][b0 + 1][b1 + 4] + shared_A[1][b0][b1 + 4]
                + shared_A[1][b0 + 2][b1 + 4] + shared_A[1][b0 + 1][b1 + 3] + shared_A[1][b0 + 1][b1 + 5]);
          }
        }
      }
      __syncthreads();
      // copy out A
      #pragma unroll 1
      for (int c0 = max(1, 2 - 8*S0); c0 <= min(5, n - 8*S0 - 1); c0++) {
        #pragma unroll 1
        for (int c1 = max(max(max(1, 3 - c0), c0 - 3), 6 - 32*S1) + tx; c1 <= min(34, n - 32*S1 + 3);
            c1 += 32) {
          if ((c0 >= 1 && c0 <= 5 && c1 >= 3 && c1 <= 34 && 4*T <= steps - 2) || (c0 >= 2 && c0 <= 4
              && c1 >= 1 && c1 <= 32 && 4*T <= steps - 4)) {
            A_at(0, 8*S0 + c0 - 1, 32*S1 + c1 - 5) = shared_A[0][c0][c1];
          }
        }
      }
      #pragma unroll 1
      for (int c0 = max(1, 2 - 8*S0); c0 <= min(5, n - 8*S0 - 1); c0++) {
        #pragma unroll 1
        for (int c1 = max(2, 6 - 32*S1) + tx; c1 <= min(min(min(35, c0 + 33), 39 - c0), n - 32*S1 + 3);
            c1 += 32) {
          if ((c0 >= 2 && c0 <= 4 && c1 >= 4 && c1 <= 35 && 4*T <= steps - 1) || (c0 >= 1 && c0 <= 5
              && c1 >= 2 && c1 <= 33 && 4*T <= steps - 3)) {
            A_at(1, 8*S0 + c0 - 1, 32*S1 + c1 - 5) = shared_A[1][c0][c1];
          }
        }
      }
      __syncthreads(); // before the next tile
    }
  }
}

// Phase 0 of time tile T: block b runs the tiles S0 = S0_lo + b. Indices have 64 bits.
__global__ void __launch_bounds__(32, 16)
hexcc_jacobi_2d_0_phase0_long(float *A, long steps, long n, long T, long S0_lo)
{
  __shared__ float shared_A[2][7][37];
  const long S0 = S0_lo + (long)blockIdx.x;
  const int tx = threadIdx.x;

  for (long S1 = 0; S1 <= long_floord(n + 2, 32); S1++) {
    // copy in A
    #pragma unroll 1
    for (long c0 = long_max(0L, 5 - 8*S0); c0 <= long_min(6L, n - 8*S0 + 4); c0++) {
      #pragma unroll 1
      for (long c1 = long_max(long_max(long_max(1L, 2 - c0), c0 - 4), 5 - 32*S1) + tx;
          c1 <= long_min(long_min(long_min(36L, c0 + 34), 40 - c0), n - 32*S1 + 4); c1 += 32) {
        hexcc_fetch(&shared_A[0][c0][c1], &A_at(0, 8*S0 + c0 - 5, 32*S1 + c1 - 5));
      }
    }
    #pragma unroll 1
    for (long c0 = long_max(0L, 5 - 8*S0); c0 <= long_min(6L, n - 8*S0 + 4); c0++) {
      #pragma unroll 1
      for (long c1 = long_max(long_max(long_max(0L, 2 - c0), c0 - 4), 5 - 32*S1) + tx;
          c1 <= long_min(long_min(long_min(35L, c0 + 34), 40 - c0), n - 32*S1 + 4); c1 += 32) {
        hexcc_fetch(&shared_A[1][c0][c1], &A_at(1, 8*S0 + c0 - 5, 32*S1 + c1 - 5));
      }
    }
    hexcc_arrived();
    __syncthreads();
    if (T >= 1) {
      // step 0: S0
      #pragma unroll 1
      for (long b0 = long_max(1L, 5 - 8*S0); b0 <= long_min(3L, n - 8*S0 + 2); b0++) {
        #pragma unroll 1
        for (long b1 = long_max(0L, 2 - 32*S1) + tx; b1 <= long_min(31L, n - 32*S1 - 1); b1 += 32) {
          shared_A[1][b0 + 1][b1 + 4] = 0.2f * (shared_A[0][b0 + 1][b1 + 4] + shared_A[0][b0][b1 + 4]
              + shared_A[0][b0 + 2][b1 + 4] + shared_A[0][b0 + 1][b1 + 3] + shared_A[0][b0 + 1][b1 + 5]);
        }
      }
    }
    __syncthreads();
    if (T >= 1 && 4*T <= steps) {
      // step 1: S0
      #pragma unroll 1
      for (long b0 = long_max(0L, 5 - 8*S0); b0 <= long_min(4L, n - 8*S0 + 2); b0++) {
        #pragma unroll 1
        for (long b1 = long_max(-1L, 2 - 32*S1) + tx; b1 <= long_min(30L, n - 32*S1 - 1); b1 += 32) {
          shared_A[0][b0 + 1][b1 + 4] = 0.2f * (shared_A[1][b0 + 1][b1 + 4] + shared_A[1][b0][b1 + 4]
              + shared_A[1][b0 + 2][b1 + 4] + shared_A[1][b0 + 1][b1 + 3] + shared_A[1][b0 + 1][b1 + 5]);
        }
      }
    }
    __syncthreads();
    if (4*T <= steps - 1) {
      // step 2: S0
      #pragma unroll 1
      for (long b0 = long_max(0L, 5 - 8*S0); b0 <= long_min(4L, n - 8*S0 + 2); b0++) {
        #pragma unroll 1
        for (long b1 = long_max(-2L, 2 - 32*S1) + tx; b1 <= long_min(29L, n - 32*S1 - 1); b1 += 32) {
          shared_A[1][b0 + 1][b1 + 4] = 0.2f * (shared_A[0][b0 + 1][b1 + 4] + shared_A[0][b0][b1 + 4]
              + shared_A[0][b0 + 2][b1 + 4] + shared_A[0][b0 + 1][b1 + 3] + shared_A[0][b0 + 1][b1 + 5]);
        }
      }
    }
    __syncthreads();
    if (4*T <= steps - 2) {
      // step 3: S0
      #pragma unroll 1
      for (long b0 = long_max(1L, 5 - 8*S0); b0 <= long_min(3L, n - 8*S0 + 2); b0++) {
        #pragma unroll 1
        for (long b1 = long_max(-3L, 2 - 32*S1) + tx; b1 <= long_min(28L, n - 32*S1 - 1); b1 += 32) {
          shared_A[0][b0 + 1][b1 + 4] = 0.2f * (shared_A[1][b0 + 1][b1 + 4] + shared_A[1][b0][b1 + 4]
              + shared_A[1][b0 + 2][b1 + 4] + shared_A[1][b0 + 1][b1 + 3] + shared_A[1][b0 + 1][b1 + 5]);
        }
      }
    }
    __syncthreads();
    // copy out A
    #pragma unroll 1
    for (long c0 = long_max(1L, 6 - 8*S0); c0 <= long_min(5L, n - 8*S0 + 3); c0++) {
      #pragma unroll 1
      for (long c1 = long_max(long_max(long_max(1L, 3 - c0), c0 - 3), 6 - 32*S1) + tx;
          c1 <= long_min(34L, n - 32*S1 + 3); c1 += 32) {
        if ((c0 >= 1 && c0 <= 5 && c1 >= 3 && c1 <= 34 && T >= 1 && 4*T <= steps) || (c0 >= 2 && c0 <= 4
            && c1 >= 1 && c1 <= 32 && T >= 0 && 4*T <= steps - 2)) {
          A_at(0, 8*S0 + c0 - 5, 32*S1 + c1 - 5) = shared_A[0][c0][c1];
        }
      }
    }
    #pragma unroll 1
    for (long c0 = long_max(1L, 6 - 8*S0); c0 <= long_min(5L, n - 8*S0 + 3); c0++) {
      #pragma unroll 1
      for (long c1 = long_max(2L, 6 - 32*S1) + tx;
          c1 <= long_min(long_min(long_min(35L, c0 + 33), 39 - c0), n - 32*S1 + 3); c1 += 32) {
        if ((c0 >= 2 && c0 <= 4 && c1 >= 4 && c1 <= 35 && T >= 1 && 4*T <= steps + 1) || (c0 >= 1 && c0 <= 5
            && c1 >= 2 && c1 <= 33 && T >= 0 && 4*T <= steps - 1)) {
          A_at(1, 8*S0 + c0 - 5, 32*S1 + c1 - 5) = shared_A[1][c0][c1];
        }
      }
    }
    __syncthreads(); // before the next tile
  }
}

// Phase 1 of time tile T: block b runs the tiles S0 = S0_lo + b. Indices have 64 bits.
__global__ void __launch_bounds__(32, 16)
hexcc_jacobi_2d_0_phase1_long(float *A, long steps, long n, long T, long S0_lo)
{
  __shared__ float shared_A[2][7][37];
  const long S0 = S0_lo + (long)blockIdx.x;
  const int tx = threadIdx.x;

  for (long S1 = 0; S1 <= long_floord(n + 2, 32); S1++) {
    // copy in A
    #pragma unroll 1
    for (long c0 = long_max(0L, 1 - 8*S0); c0 <= long_min(6L, n - 8*S0); c0++) {
      #pragma unroll 1
      for (long c1 = long_max(long_max(long_max(1L, 2 - c0), c0 - 4), 5 - 32*S1) + tx;
          c1 <= long_min(long_min(long_min(36L, c0 + 34), 40 - c0), n - 32*S1 + 4); c1 += 32) {
        hexcc_fetch(&shared_A[0][c0][c1], &A_at(0, 8*S0 + c0 - 1, 32*S1 + c1 - 5));
      }
    }
    #pragma unroll 1
    for (long c0 = long_max(0L, 1 - 8*S0); c0 <= long_min(6L, n - 8*S0); c0++) {
      #pragma unroll 1
      for (long c1 = long_max(long_max(long_max(0L, 2 - c0), c0 - 4), 5 - 32*S1) + tx;
          c1 <= long_min(long_min(long_min(35L, c0 + 34), 40 - c0), n - 32*S1 + 4); c1 += 32) {
        hexcc_fetch(&shared_A[1][c0][c1], &A_at(1, 8*S0 + c0 - 1, 32*S1 + c1 - 5));
      }
    }
    hexcc_arrived();
    __syncthreads();
    if (4*T <= steps - 1) {
      // step 0: S0
      #pragma unroll 1
      for (long b0 = long_max(1L, 1 - 8*S0); b0 <= long_min(3L, n - 8*S0 - 2); b0++) {
        #pragma unroll 1
        for (long b1 = long_max(0L, 2 - 32*S1) + tx; b1 <= long_min(31L, n - 32*S1 - 1); b1 += 32) {
          shared_A[1][b0 + 1][b1 + 4] = 0.2f * (shared_A[0][b0 + 1][b1 + 4] + shared_A[0][b0][b1 + 4]
              + shared_A[0][b0 + 2][b1 + 4] + shared_A[0][b0 + 1][b1 + 3] + shared_A[0][b0 + 1][b1 + 5]);
        }
      }
    }
    __syncthreads();
    if (4*T <= steps - 2) {
      // step 1: S0
      #pragma unroll 1
      for (long b0 = long_max(0L, 1 - 8*S0); b0 <= long_min(4L, n - 8*S0 - 2); b0++) {
        #pragma unroll 1
        for (long b1 = long_max(-1L, 2 - 32*S1) + tx; b1 <= long_min(30L, n - 32*S1 - 1); b1 += 32) {
          shared_A[0][b0 + 1][b1 + 4] = 0.2f * (shared_A[1][b0 + 1][b1 + 4] + shared_A[1][b0][b1 + 4]
              + shared_A[1][b0 + 2][b1 + 4] + shared_A[1][b0 + 1][b1 + 3] + shared_A[1][b0 + 1][b1 + 5]);
        }
      }
    }
    __syncthreads();
    if (4*T <= steps - 3) {
      // step 2: S0
      #pragma unroll 1
      for (long b0 = long_max(0L, 1 - 8*S0); b0 <= long_min(4L, n - 8*S0 - 2); b0++) {
        #pragma unroll 1
        for (long b1 = long_max(-2L, 2 - 32*S1) + tx; b1 <= long_min(29L, n - 32*S1 - 1); b1 += 32) {
          shared_A[1][b0 + 1][b1 + 4] = 0.2f * (shared_A[0][b0 + 1][b1 + 4] + shared_A[0][b0][b1 + 4]
              + shared_A[0][b0 + 2][b1 + 4] + shared_A[0][b0 + 1][b1 + 3] + shared_A[0][b0 + 1][b1 + 5]);
        }
      }
    }
    __syncthreads();
    if (4*T <= steps - 4) {
      // step 3: S0
      #pragma unroll 1
      for (long b0 = long_max(1L, 1 - 8*S0); b0 <= long_min(3L, n - 8*S0 - 2); b0++) {
        #pragma unroll 1
        for (long b1 = long_max(-3L, 2 - 32*S1) + tx; b1 <= long_min(28L, n - 32*S1 - 1); b1 += 32) {
          shared_A[0][b0 + 1][b1 + 4] = 0.2f * (shared_A[1][b0 + 1][b1 + 4] + shared_A[1][b0][b1 + 4]
              + shared_A[1][b0 + 2][b1 + 4] + shared_A[1][b0 + 1][b1 + 3] + shared_A[1][b0 + 1][b1 + 5]);
        }
      }
    }
    __syncthreads();
    // copy out A
    #pragma unroll 1
    for (long c0 = long_max(1L, 2 - 8*S0); c0 <= long_min(5L, n - 8*S0 - 1); c0++) {
      #pragma unroll 1
      for (long c1 = long_max(long_max(long_max(1L, 3 - c0), c0 - 3), 6 - 32*S1) + tx;
          c1 <= long_min(34L, n - 32*S1 + 3); c1 += 32) {
        if ((c0 >= 1 && c0 <= 5 && c1 >= 3 && c1 <= 34 && 4*T <= steps - 2) || (c0 >= 2 && c0 <= 4 && c1 >= 1
            && c1 <= 32 && 4*T <= steps - 4)) {
          A_at(0, 8*S0 + c0 - 1, 32*S1 + c1 - 5) = shared_A[0][c0][c1];
        }
      }
    }
    #pragma unroll 1
    for (long c0 = long_max(1L, 2 - 8*S0); c0 <= long_min(5L, n - 8*S0 - 1); c0++) {
      #pragma unroll 1
      for (long c1 = long_max(2L, 6 - 32*S1) + tx;
          c1 <= long_min(long_min(long_min(35L, c0 + 33), 39 - c0), n - 32*S1 + 3); c1 += 32) {
        if ((c0 >= 2 && c0 <= 4 && c1 >= 4 && c1 <= 35 && 4*T <= steps - 1) || (c0 >= 1 && c0 <= 5 && c1 >= 2
            && c1 <= 33 && 4*T <= steps - 3)) {
          A_at(1, 8*S0 + c0 - 1, 32*S1 + c1 - 5) = shared_A[1][c0][c1];
        }
      }
    }
    __syncthreads(); // before the next tile
  }
}

#ifndef __CUDACC_RTC__

// The last failure in this thread: file, line, call and error.
static thread_local char hexcc_message[400] = "nothing failed";

// hexcc_check keeps what failed and where, and leaves nothing for cudaGetLastError.
static cudaError_t hexcc_check(cudaError_t error, const char *call, int line)
{
  if (error != cudaSuccess) {
    snprintf(hexcc_message, sizeof hexcc_message, "%s:%d: %.200s: %s: %s", __FILE__, line, call,
        cudaGetErrorName(error), cudaGetErrorString(error));
    cudaGetLastError();
  }
  return error;
}

#define HEXCC_TRY(call) \
  do { \
    error = hexcc_check((call), #call, __LINE__); \
    if (error != cudaSuccess) \
      goto done; \
  } while (0)

// HEXCC_END makes a call whatever failed before, and keeps the first failure.
#define HEXCC_END(call) \
  do { \
    cudaError_t end = (call); \
    if (error == cudaSuccess) \
      error = hexcc_check(end, #call, __LINE__); \
  } while (0)

template <class T> struct hexcc_same { typedef T type; };

// hexcc_launch puts a kernel into a stream: kernel<<<blocks, threads, shared, stream>>>(arguments), but
// what it returns is an error of this launch, not one left by an earlier call.
template <class... P>
static cudaError_t hexcc_launch(void (*kernel)(P...), dim3 blocks, dim3 threads, size_t shared, cudaStream_t stream,
    typename hexcc_same<P>::type... arguments)
{
  void *list[] = {(void *)&arguments..., NULL};
  return cudaLaunchKernel<void(P...)>(kernel, blocks, threads, list, shared, stream);
}

// hexcc_size returns the bytes of an array of elements of so many bytes. Where an extent is negative, or the size
// is beyond what a pointer can reach, it says so, and sets *error.
static inline size_t hexcc_size(const char *name, size_t element, const long *extents, int dims, int line, int *error)
{
  const size_t most = (size_t)-1 / 2;
  size_t bytes = element;
  int negative = 0, empty = 0, large = 0, at;
  char text[200];
  for (int i = 0; i < dims; i++) {
    negative |= extents[i] < 0;
    empty |= extents[i] == 0;
  }
  for (int i = 0; i < dims && !negative && !empty; i++) {
    large |= (unsigned long long)extents[i] > most / bytes;
    bytes *= large ? 1 : (size_t)extents[i];
  }
  if (!negative && !large)
    return empty ? 0 : bytes;
  at = snprintf(text, sizeof text, "%.60s", name);
  for (int i = 0; i < dims && at < (int)sizeof text; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, "[%ld]", extents[i]);
  if (at < (int)sizeof text)
    snprintf(text + at, sizeof text - (size_t)at, negative ? " has a negative extent" : " has more than %llu bytes", (unsigned long long)most);
  *error = (int)hexcc_check(cudaErrorInvalidValue, text, line);
  return 0;
}

#ifndef HEXCC_WIDE
#define HEXCC_WIDE 0 // 1: indices have 64 bits whatever the size
#endif

extern "C" const char *hexcc_jacobi_2d_error(void)
{
  return hexcc_message;
}

extern "C" void hexcc_jacobi_2d_stop(void)
{
  fprintf(stderr, "%s\n", hexcc_message);
  abort();
}

extern "C" int hexcc_jacobi_2d_0_device(int steps_arg, int n_arg, float *A, cudaStream_t stream)
{
  const long steps = (long)steps_arg;
  const long n = (long)n_arg;
  if (!(steps >= 1 && n >= 3))
    return 0; // no iteration
  const int narrow = !HEXCC_WIDE && steps <= 2147483642 && n <= 2147483572; // then indices of 32 bits suffice
  const long T_lo = 0, T_hi = long_floord(steps + 1, 4); // time tiles
  cudaError_t error = cudaSuccess;
  for (long T = T_lo; T <= T_hi; T++) {
    // elsewhere no tile has an iteration
    if ((T >= 1 && n >= 7) || (T >= 1 && 4*T <= steps && n >= 6) || (4*T <= steps - 1 && n >= 6)) {
      const long S0_lo = 1, S0_hi = long_floord(n + 2, 8);
      for (long S0_from = S0_lo; S0_from <= S0_hi; S0_from += 2147483647) {
        const unsigned blocks = (unsigned)long_min(S0_hi - S0_from + 1, 2147483647L);
        if (narrow) {
          HEXCC_TRY(hexcc_launch(hexcc_jacobi_2d_0_phase0, blocks, dim3(32, 1, 1), 0, stream, A, (int)steps,
              (int)n, (int)T, (int)S0_from));
        } else {
          HEXCC_TRY(hexcc_launch(hexcc_jacobi_2d_0_phase0_long, blocks, dim3(32, 1, 1), 0, stream, A, steps,
              n, T, S0_from));
        }
      }
    }
    // elsewhere no tile has an iteration
    if (4*T <= steps - 1) {
      const long S0_lo = 0, S0_hi = long_floord(n - 2, 8);
      for (long S0_from = S0_lo; S0_from <= S0_hi; S0_from += 2147483647) {
        const unsigned blocks = (unsigned)long_min(S0_hi - S0_from + 1, 2147483647L);
        if (narrow) {
          HEXCC_TRY(hexcc_launch(hexcc_jacobi_2d_0_phase1, blocks, dim3(32, 1, 1), 0, stream, A, (int)steps,
              (int)n, (int)T, (int)S0_from));
        } else {
          HEXCC_TRY(hexcc_launch(hexcc_jacobi_2d_0_phase1_long, blocks, dim3(32, 1, 1), 0, stream, A, steps,
              n, T, S0_from));
        }
      }
    }
  }
done:
  return (int)error;
}

extern "C" int hexcc_jacobi_2d_0_timed(int steps_arg, int n_arg, float *A, struct hexcc_times *times)
{
  const long steps = (long)steps_arg;
  const long n = (long)n_arg;
  if (times != NULL)
    *times = hexcc_times();
  if (!(steps >= 1 && n >= 3))
    return 0; // no iteration
  const auto start = std::chrono::steady_clock::now();
  int wrong = 0;
  const long extents_A[] = {2, n, n};
  const size_t bytes_A = hexcc_size("A", sizeof(float), extents_A, 3, __LINE__, &wrong);
  if (wrong != 0)
    return wrong;
  if (bytes_A == 0)
    return 0; // no elements
  const cudaStream_t stream = cudaStreamPerThread;
  cudaError_t error = cudaSuccess;
  cudaEvent_t events[4] = {};
  float *dev_A = NULL;

  for (int i = 0; times != NULL && i < 4; i++)
    HEXCC_TRY(cudaEventCreate(&events[i]));
  HEXCC_TRY(cudaMalloc(&dev_A, bytes_A));
  if (times != NULL)
    HEXCC_TRY(cudaEventRecord(events[0], stream));
  HEXCC_TRY(cudaMemcpyAsync(dev_A, A, bytes_A, cudaMemcpyHostToDevice, stream));
  if (times != NULL)
    HEXCC_TRY(cudaEventRecord(events[1], stream));

  error = (cudaError_t)hexcc_jacobi_2d_0_device(steps_arg, n_arg, dev_A, stream);
  if (error != cudaSuccess)
    goto done;
  if (times != NULL)
    HEXCC_TRY(cudaEventRecord(events[2], stream));
  HEXCC_TRY(cudaStreamSynchronize(stream)); // the kernels

  HEXCC_TRY(cudaMemcpyAsync(A, dev_A, bytes_A, cudaMemcpyDeviceToHost, stream));
  if (times != NULL)
    HEXCC_TRY(cudaEventRecord(events[3], stream));
  HEXCC_TRY(cudaStreamSynchronize(stream));
  if (times != NULL) {
    HEXCC_TRY(cudaEventElapsedTime(&times->in, events[0], events[1]));
    HEXCC_TRY(cudaEventElapsedTime(&times->kernels, events[1], events[2]));
    HEXCC_TRY(cudaEventElapsedTime(&times->out, events[2], events[3]));
  }

done:
  HEXCC_END(cudaFree(dev_A));
  for (cudaEvent_t event : events)
    if (event != NULL)
      HEXCC_END(cudaEventDestroy(event));
  if (times != NULL)
    times->total = std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - start).count();
  return (int)error;
}

extern "C" int hexcc_jacobi_2d_0(int steps, int n, float *A)
{
  return hexcc_jacobi_2d_0_timed(steps, n, A, NULL);
}

extern "C" int hexcc_jacobi_2d_ready(void)
{
  cudaFuncAttributes attributes;
  cudaError_t error = cudaSuccess;
  HEXCC_TRY(cudaFuncGetAttributes(&attributes, hexcc_jacobi_2d_0_phase0));
  return 1;
done:
  static std::atomic<bool> said(false);
  if (!said.exchange(true))
    fprintf(stderr, "%s: the kernels cannot run here\n", hexcc_message);
  return 0;
}

#endif // __CUDACC_RTC__
