#ifndef __HEXCC_STRINGS_H
#define __HEXCC_STRINGS_H
#include <hexcc_size_t.h>
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
void bzero(void *, size_t);
#endif
