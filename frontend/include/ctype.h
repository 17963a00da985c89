#ifndef __HEXCC_CTYPE_H
#define __HEXCC_CTYPE_H
int isalnum(int), isalpha(int), isdigit(int), islower(int), isupper(int), isspace(int), isprint(int);
int isxdigit(int), ispunct(int), tolower(int), toupper(int);
#endif
