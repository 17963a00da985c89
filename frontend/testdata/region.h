#pragma scop
extern int x;
#pragma endscop
