#ifndef __HEXCC_STDDEF_H
#define __HEXCC_STDDEF_H
#include <hexcc_size_t.h>
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef struct { long long __a; long double __b; } max_align_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
