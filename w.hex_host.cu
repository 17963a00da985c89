/* w.hex_host.cu: hexcc made this from /tmp/ex/w.c. */
#include "w.hex.h"
#line 1 "/tmp/ex/w.c"
void f(int T, int n, float A[restrict 2][n][n])
{
  {
    void hexcc_types_0( /* an error here: hexcc misread a type */
      char hexcc_T_is_int[sizeof(T) == 4 && sizeof(T + 0L) == 8 && (__typeof__(T + 0))-1 < 0 ? 1 : -1],
      char hexcc_n_is_int[sizeof(n) == 4 && sizeof(n + 0L) == 8 && (__typeof__(n + 0))-1 < 0 ? 1 : -1],
      char hexcc_A_is_float[sizeof(A[0][0][0]) == 4 && sizeof(A[0][0][0] + 0L) == 4 ? 1 : -1]);
    /* hexcc: on the GPU, see w.hex_kernel.cu */
    if (hexcc_w_0(T, n, (float *)(&A[0][0][0])) != 0)
      hexcc_w_stop(); /* says why on stderr, and aborts */
  }
#line 9 "/tmp/ex/w.c"
}
