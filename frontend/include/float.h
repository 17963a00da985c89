#ifndef __HEXCC_FLOAT_H
#define __HEXCC_FLOAT_H
#define FLT_RADIX 2
#define FLT_EVAL_METHOD 0
#define FLT_MANT_DIG __FLT_MANT_DIG__
#define FLT_DIG __FLT_DIG__
#define FLT_MIN __FLT_MIN__
#define FLT_MAX __FLT_MAX__
#define FLT_EPSILON __FLT_EPSILON__
#define FLT_MAX_EXP 128
#define FLT_MIN_EXP (-125)
#define DBL_MANT_DIG __DBL_MANT_DIG__
#define DBL_DIG __DBL_DIG__
#define DBL_MIN __DBL_MIN__
#define DBL_MAX __DBL_MAX__
#define DBL_EPSILON __DBL_EPSILON__
#define DBL_MAX_EXP 1024
#define DBL_MIN_EXP (-1021)
#define DECIMAL_DIG 21
#endif
