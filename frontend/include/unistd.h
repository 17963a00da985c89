#ifndef __HEXCC_UNISTD_H
#define __HEXCC_UNISTD_H
#include <hexcc_size_t.h>
#include <sys/types.h>
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int, char *const *, const char *);
unsigned int sleep(unsigned int);
int usleep(unsigned int);
pid_t getpid(void);
long sysconf(int);
#endif
