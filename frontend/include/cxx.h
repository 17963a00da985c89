#ifndef __HEXCC_CXX_H
#define __HEXCC_CXX_H
/* What headers of C++ bring along. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#endif
