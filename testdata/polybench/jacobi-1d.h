#ifndef _JACOBI_1D_H
# define _JACOBI_1D_H

# if !defined(MINI_DATASET) && !defined(SMALL_DATASET)
#  define SMALL_DATASET
# endif

# if !defined(TSTEPS) && !defined(N)
#  ifdef MINI_DATASET
#   define TSTEPS 7
#   define N 30
#  endif
#  ifdef SMALL_DATASET
#   define TSTEPS 40
#   define N 120
#  endif
# endif

# define _PB_TSTEPS POLYBENCH_LOOP_BOUND(TSTEPS,tsteps)
# define _PB_N POLYBENCH_LOOP_BOUND(N,n)

# if !defined(DATA_TYPE_IS_INT) && !defined(DATA_TYPE_IS_FLOAT) && !defined(DATA_TYPE_IS_DOUBLE)
#  define DATA_TYPE_IS_DOUBLE
# endif

# ifdef DATA_TYPE_IS_INT
#  define DATA_TYPE int
#  define DATA_PRINTF_MODIFIER "%d "
#  define SCALAR_VAL(x) x
# endif

# ifdef DATA_TYPE_IS_FLOAT
#  define DATA_TYPE float
#  define DATA_PRINTF_MODIFIER "%0.7g "
#  define SCALAR_VAL(x) x##f
# endif

# ifdef DATA_TYPE_IS_DOUBLE
#  define DATA_TYPE double
#  define DATA_PRINTF_MODIFIER "%0.15g "
#  define SCALAR_VAL(x) x
# endif

#endif
