/* A source without a region is compiled as it is. */
float rest(float x) { return x / 3; }
