/* Whole quotients by what is positive, rounded down and up, and the less and the greater of two. */
static inline long down(long a, long b) { return a / b - (a % b < 0); }
static inline long up(long a, long b) { return -down(-a, b); }
static inline long least(long a, long b) { return a < b ? a : b; }
static inline long most(long a, long b) { return a > b ? a : b; }
