#ifndef __HEXCC_INTTYPES_H
#define __HEXCC_INTTYPES_H
#include <stdint.h>
#define PRId32 "d"
#define PRIu32 "u"
#define PRIx32 "x"
#define PRId64 "ld"
#define PRIi64 "li"
#define PRIu64 "lu"
#define PRIx64 "lx"
#define SCNd32 "d"
#define SCNd64 "ld"
#define SCNu64 "lu"
#endif
