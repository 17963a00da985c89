#ifndef _FDTD_2D_H
# define _FDTD_2D_H

# if !defined(MINI_DATASET) && !defined(SMALL_DATASET)
#  define SMALL_DATASET
# endif

# if !defined(TMAX) && !defined(NX) && !defined(NY)
#  ifdef MINI_DATASET
#   define TMAX 7
#   define NX 20
#   define NY 30
#  endif
#  ifdef SMALL_DATASET
#   define TMAX 20
#   define NX 60
#   define NY 80
#  endif
# endif

# define _PB_TMAX POLYBENCH_LOOP_BOUND(TMAX,tmax)
# define _PB_NX POLYBENCH_LOOP_BOUND(NX,nx)
# define _PB_NY POLYBENCH_LOOP_BOUND(NY,ny)

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
