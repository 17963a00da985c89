#ifndef __HEXCC_ERRNO_H
#define __HEXCC_ERRNO_H
int *__errno_location(void);
#define errno (*__errno_location())
#define ENOENT 2
#define ENOMEM 12
#define EINVAL 22
#define EDOM 33
#define ERANGE 34
#endif
