#define WEIGHT 0.28f
