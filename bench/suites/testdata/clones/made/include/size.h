#ifndef N
#define N 60
#endif
