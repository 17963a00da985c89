#ifndef __HEXCC_SYS_TYPES_H
#define __HEXCC_SYS_TYPES_H
#include <stddef.h>
#include <stdint.h>
typedef long ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned int uint;
typedef unsigned long ulong;
#endif
