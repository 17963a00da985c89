#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <errno.h>
#include <assert.h>
#include <unistd.h>
#include <pthread.h>
#include <signal.h>
#include <setjmp.h>
#include <fenv.h>
#include <locale.h>
#include <wchar.h>
#include <inttypes.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <limits.h>
#include <float.h>
#include <dirent.h>
#include <getopt.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf back;
static int more(void)
{
  cpu_set_t set;
  struct stat s;
  CPU_ZERO(&set);
  pthread_mutex_lock(&lock);
  assert(stat("/", &s) == 0);
  errno = ERANGE;
  pthread_mutex_unlock(&lock);
  if (setjmp(back))
    return fegetround() == FE_TONEAREST;
  return errno + (int)M_PI + (int)strlen("four") + (MAP_PRIVATE == 2) + (int)wcslen(L"abc") + (DBL_MAX_10_EXP > 300) + (INT64_MAX > INT_MAX);
}
static void step(int T, int n, double (*restrict a)[n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      a[(t + 1) % 2][i] = 0.5 * a[t % 2][i - 1] + 0.25 * a[t % 2][i + 1];
#pragma endscop
}
int main(void)
{
  static double a[2][100];
  double s = 0;
  for (int i = 0; i < 100; i++)
    a[0][i] = a[1][i] = i % 7;
  step(20, 100, a);
  for (int i = 0; i < 100; i++)
    s = s * 0.9 + a[0][i] + a[1][i];
  printf("%.17g %d\n", s, more());
  return 0;
}
