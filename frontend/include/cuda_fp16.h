/* __half is a class of C++: it is refused by its name where a region uses it. */
typedef _Decimal128 hexcc___half;
#define __half hexcc___half
#define half __half
float __half2float(__half);
__half __float2half(float);
__half __float2half_rn(float);
__half __double2half(double);
__half __hadd(__half, __half);
__half __hsub(__half, __half);
__half __hmul(__half, __half);
__half __hdiv(__half, __half);
__half __hfma(__half, __half, __half);
__half __hneg(__half);
