#ifndef __HEXCC_TIME_H
#define __HEXCC_TIME_H
#include <hexcc_size_t.h>
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
typedef long clock_t;
typedef long time_t;
typedef int clockid_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
clock_t clock(void);
time_t time(time_t *);
double difftime(time_t, time_t);
int clock_gettime(clockid_t, struct timespec *);
int nanosleep(const struct timespec *, struct timespec *);
struct tm *localtime(const time_t *);
struct tm *gmtime(const time_t *);
size_t strftime(char *, size_t, const char *, const struct tm *);
char *ctime(const time_t *);
#endif
