#ifndef __HEXCC_CXXCOMPLEX_H
#define __HEXCC_CXXCOMPLEX_H
/* What std::complex is in C: its numbers, and its functions by the types of their arguments. */
#include "cxx.h"
typedef double _Complex __hexcc_complexd;
typedef float _Complex __hexcc_complexf;
double _Complex __builtin_complex(double, double);
float _Complex __builtin_complexf(float, float);
#define __HEXCC_Z(N) double _Complex N(double _Complex); float _Complex N##f(float _Complex);
#define __HEXCC_R(N) double N(double _Complex); float N##f(float _Complex);
__HEXCC_Z(conj) __HEXCC_Z(cexp) __HEXCC_Z(clog) __HEXCC_Z(csqrt) __HEXCC_Z(csin) __HEXCC_Z(ccos)
__HEXCC_R(creal) __HEXCC_R(cimag) __HEXCC_R(cabs) __HEXCC_R(carg)
static inline double __hexcc_norm_d(double _Complex z) { double x = creal(z), y = cimag(z); return x * x + y * y; }
static inline float __hexcc_norm_f(float _Complex z) { float x = crealf(z), y = cimagf(z); return x * x + y * y; }
static inline double _Complex __hexcc_polar_d(double r, double a) { return __builtin_complex(r * cos(a), r * sin(a)); }
static inline float _Complex __hexcc_polar_f(float r, float a) { return __builtin_complexf(r * cosf(a), r * sinf(a)); }
#define __hexcc_zreal(z) _Generic((z), float _Complex: crealf, double _Complex: creal)(z)
#define __hexcc_zimag(z) _Generic((z), float _Complex: cimagf, double _Complex: cimag)(z)
#define __hexcc_zconj(z) _Generic((z), float _Complex: conjf, double _Complex: conj)(z)
#define __hexcc_znorm(z) _Generic((z), float _Complex: __hexcc_norm_f, double _Complex: __hexcc_norm_d)(z)
#define __hexcc_zarg(z) _Generic((z), float _Complex: cargf, double _Complex: carg)(z)
#define __hexcc_zpolar(r, a) _Generic((r), float: _Generic((a), float: __hexcc_polar_f), double: _Generic((a), double: __hexcc_polar_d))(r, a)
#define __hexcc_zabs(z) _Generic((z), float _Complex: cabsf, double _Complex: cabs, float: fabsf, double: fabs, long: labs, long long: llabs, default: abs)(z)
#define __hexcc_z1(name, z) _Generic((z), float _Complex: c##name##f, double _Complex: c##name, float: name##f, default: name)(z)
#define __hexcc_zc(name, z) _Generic((z), float _Complex: c##name##f, double _Complex: c##name, default: name)(z)
#endif
