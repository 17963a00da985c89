#ifndef __HEXCC_COMPLEX_H
#define __HEXCC_COMPLEX_H
#define complex _Complex
#define _Complex_I 1.0iF
#define I _Complex_I
#define __HEXCC_Z(N) double _Complex N(double _Complex); float _Complex N##f(float _Complex); long double _Complex N##l(long double _Complex);
#define __HEXCC_R(N) double N(double _Complex); float N##f(float _Complex); long double N##l(long double _Complex);
__HEXCC_Z(conj) __HEXCC_Z(cproj) __HEXCC_Z(cexp) __HEXCC_Z(clog) __HEXCC_Z(csqrt) __HEXCC_Z(csin) __HEXCC_Z(ccos) __HEXCC_Z(ctan)
__HEXCC_R(creal) __HEXCC_R(cimag) __HEXCC_R(cabs) __HEXCC_R(carg)
double _Complex cpow(double _Complex, double _Complex);
#endif
