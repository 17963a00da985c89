/* w.hex.h: hexcc made this from /tmp/ex/w.c. */
#ifndef HEXCC_W_HEX_H
#define HEXCC_W_HEX_H

#ifdef __cplusplus
extern "C" {
#endif

struct CUstream_st; /* a cudaStream_t points to one */

#ifndef HEXCC_TIMES
#define HEXCC_TIMES
/* How long a call took, in milliseconds: copies to the device, kernels, and copies
   back, by the clock of the device; and all of it, by that of the host. */
struct hexcc_times {
  float in, kernels, out, total;
};
#endif

/* Does what lines 3 to 8 of /tmp/ex/w.c do, on the current CUDA device: copies the
   arrays there, runs the kernels, and copies back those that change. Arrays are
   in host memory, row-major, each given by its first element:

     float A[2][n][n]

   They must not overlap. Returns 0, or a cudaError_t: hexcc_w_error() says more.
   Then the arrays are as before, unless what failed is copying back or came after it.
   In any case all that was allocated is freed. Any number of threads may call it at once. */
int hexcc_w_0(int T, int n, float *A);

/* The same; *times, unless times is NULL, is how long it took. */
int hexcc_w_0_timed(int T, int n, float *A, struct hexcc_times *times);

/* The same on arrays that are on the device already. Allocates and copies nothing but flags, in the
   order of the queue, by which tiles wait for each other, and
   returns when all kernels are in the queue, before they end: errors of kernels are
   returned by later calls. The queue is a cudaStream_t; NULL is the default stream.
   Arrays are row-major, each given by a pointer to device memory:

     float A[2][n][n]
*/
int hexcc_w_0_device(int T, int n, float *A, struct CUstream_st *stream);

/* What failed last in this thread: file, line, call and error. Never NULL. */
const char *hexcc_w_error(void);

/* Prints that on stderr and aborts: what w.hex_host.cu does where a function above fails. */
void hexcc_w_stop(void);

/* Whether the kernels can run on the current CUDA device. Returns 1, or 0 and, the first
   time, a message on stderr. */
int hexcc_w_ready(void);

#ifdef __cplusplus
}
#endif

#endif /* HEXCC_W_HEX_H */
