#define BESIDE 0.5f
