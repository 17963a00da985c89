/* The macros and functions that programs in the style of PolyBench/C 4 use:
   the same interface, written anew. */
#ifndef POLYBENCH_H
#define POLYBENCH_H

#include <stdio.h>
#include <stdlib.h>

#ifndef POLYBENCH_PADDING_FACTOR
# define POLYBENCH_PADDING_FACTOR 0
#endif

/* Extents of array parameters: constants, or with POLYBENCH_USE_C99_PROTO the sizes passed. */
#ifdef POLYBENCH_USE_C99_PROTO
# define POLYBENCH_C99_SELECT(x, y) y
#else
# define POLYBENCH_C99_SELECT(x, y) x
#endif

/* Loop bounds: constants, or with POLYBENCH_USE_SCALAR_LB the sizes passed. */
#ifdef POLYBENCH_USE_SCALAR_LB
# define POLYBENCH_LOOP_BOUND(x, y) y
#else
# define POLYBENCH_LOOP_BOUND(x, y) x
#endif

#ifdef POLYBENCH_USE_RESTRICT
# define POLYBENCH_RESTRICT restrict
#else
# define POLYBENCH_RESTRICT
#endif

#define POLYBENCH_DIM(d, dd) POLYBENCH_C99_SELECT(d, dd) + POLYBENCH_PADDING_FACTOR
#define POLYBENCH_1D(var, d1, dd1) var[POLYBENCH_RESTRICT POLYBENCH_DIM(d1, dd1)]
#define POLYBENCH_2D(var, d1, d2, dd1, dd2) POLYBENCH_1D(var, d1, dd1)[POLYBENCH_DIM(d2, dd2)]
#define POLYBENCH_3D(var, d1, d2, d3, dd1, dd2, dd3) POLYBENCH_2D(var, d1, d2, dd1, dd2)[POLYBENCH_DIM(d3, dd3)]

/* Arrays of main: on the heap, or with POLYBENCH_STACK_ARRAYS local. */
#ifdef POLYBENCH_STACK_ARRAYS
# define POLYBENCH_ARRAY(x) x
# define POLYBENCH_FREE_ARRAY(x)
# define POLYBENCH_1D_ARRAY_DECL(var, type, d1, dd1) type var[POLYBENCH_DIM(d1, dd1)]
# define POLYBENCH_2D_ARRAY_DECL(var, type, d1, d2, dd1, dd2) \
  type var[POLYBENCH_DIM(d1, dd1)][POLYBENCH_DIM(d2, dd2)]
# define POLYBENCH_3D_ARRAY_DECL(var, type, d1, d2, d3, dd1, dd2, dd3) \
  type var[POLYBENCH_DIM(d1, dd1)][POLYBENCH_DIM(d2, dd2)][POLYBENCH_DIM(d3, dd3)]
#else
# define POLYBENCH_ARRAY(x) *x
# define POLYBENCH_FREE_ARRAY(x) free((void *)x);
# define POLYBENCH_1D_ARRAY_DECL(var, type, d1, dd1) \
  type (*var)[POLYBENCH_DIM(d1, dd1)] = (type (*)[POLYBENCH_DIM(d1, dd1)])polybench_alloc_data(1, sizeof *var)
# define POLYBENCH_2D_ARRAY_DECL(var, type, d1, d2, dd1, dd2) \
  type (*var)[POLYBENCH_DIM(d1, dd1)][POLYBENCH_DIM(d2, dd2)] = polybench_alloc_data(1, sizeof *var)
# define POLYBENCH_3D_ARRAY_DECL(var, type, d1, d2, d3, dd1, dd2, dd3) \
  type (*var)[POLYBENCH_DIM(d1, dd1)][POLYBENCH_DIM(d2, dd2)][POLYBENCH_DIM(d3, dd3)] = polybench_alloc_data(1, sizeof *var)
#endif

/* What is printed keeps the compiler from dropping the work. */
#ifdef POLYBENCH_DUMP_ARRAYS
# define polybench_prevent_dce(call) call
#else
# define polybench_prevent_dce(call) if (argc > 42 && argv[0][0] == '\0') call
#endif
#define POLYBENCH_DUMP_TARGET stderr
#define POLYBENCH_DUMP_START fprintf(POLYBENCH_DUMP_TARGET, "==BEGIN DUMP_ARRAYS==\n")
#define POLYBENCH_DUMP_FINISH fprintf(POLYBENCH_DUMP_TARGET, "==END   DUMP_ARRAYS==\n")
#define POLYBENCH_DUMP_BEGIN(s) fprintf(POLYBENCH_DUMP_TARGET, "begin dump: %s", s)
#define POLYBENCH_DUMP_END(s) fprintf(POLYBENCH_DUMP_TARGET, "\nend   dump: %s\n", s)

#ifdef POLYBENCH_TIME
extern void polybench_timer_start(void);
extern void polybench_timer_stop(void);
extern void polybench_timer_print(void);
# define polybench_start_instruments polybench_timer_start();
# define polybench_stop_instruments polybench_timer_stop();
# define polybench_print_instruments polybench_timer_print();
#else
# define polybench_start_instruments
# define polybench_stop_instruments
# define polybench_print_instruments
#endif

extern void *polybench_alloc_data(unsigned long long n, int size);

#endif
