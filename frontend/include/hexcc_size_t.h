#ifndef __HEXCC_SIZE_T_H
#define __HEXCC_SIZE_T_H
typedef __SIZE_TYPE__ size_t;
#ifndef NULL
#define NULL ((void *)0)
#endif
#endif
