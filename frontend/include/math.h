#ifndef __HEXCC_MATH_H
#define __HEXCC_MATH_H
typedef float float_t;
typedef double double_t;
#define HUGE_VAL (1e500)
#define HUGE_VALF (1e500f)
#define INFINITY (1e500f)
#define NAN (__builtin_nanf(""))
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define __HEXCC_F1(N) double N(double); float N##f(float); long double N##l(long double);
#define __HEXCC_F2(N) double N(double, double); float N##f(float, float); long double N##l(long double, long double);
__HEXCC_F1(acos) __HEXCC_F1(asin) __HEXCC_F1(atan) __HEXCC_F1(cos) __HEXCC_F1(sin) __HEXCC_F1(tan)
__HEXCC_F1(acosh) __HEXCC_F1(asinh) __HEXCC_F1(atanh) __HEXCC_F1(cosh) __HEXCC_F1(sinh) __HEXCC_F1(tanh)
__HEXCC_F1(exp) __HEXCC_F1(exp2) __HEXCC_F1(expm1) __HEXCC_F1(log) __HEXCC_F1(log10) __HEXCC_F1(log1p)
__HEXCC_F1(log2) __HEXCC_F1(logb) __HEXCC_F1(cbrt) __HEXCC_F1(fabs) __HEXCC_F1(sqrt) __HEXCC_F1(erf)
__HEXCC_F1(erfc) __HEXCC_F1(lgamma) __HEXCC_F1(tgamma) __HEXCC_F1(ceil) __HEXCC_F1(floor)
__HEXCC_F1(nearbyint) __HEXCC_F1(rint) __HEXCC_F1(round) __HEXCC_F1(trunc)
__HEXCC_F2(atan2) __HEXCC_F2(hypot) __HEXCC_F2(pow) __HEXCC_F2(fmod) __HEXCC_F2(remainder)
__HEXCC_F2(copysign) __HEXCC_F2(nextafter) __HEXCC_F2(fdim) __HEXCC_F2(fmax) __HEXCC_F2(fmin)
double fma(double, double, double);
float fmaf(float, float, float);
long double fmal(long double, long double, long double);
double frexp(double, int *);
float frexpf(float, int *);
double ldexp(double, int);
float ldexpf(float, int);
double modf(double, double *);
float modff(float, float *);
double scalbn(double, int);
float scalbnf(float, int);
int ilogb(double);
int ilogbf(float);
long lrint(double);
long lrintf(float);
long lround(double);
long lroundf(float);
double nan(const char *);
float nanf(const char *);
#define isnan(x) ((x) != (x))
#define isinf(x) ((x) == HUGE_VAL || (x) == -HUGE_VAL)
#define isfinite(x) ((x) - (x) == 0)
#define signbit(x) (copysign(1.0, (x)) < 0)
#endif
