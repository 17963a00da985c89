// The table of what can be measured: bench-gpu's sources share it.
#ifndef HEXCC_BENCH_CONFIG_H
#define HEXCC_BENCH_CONFIG_H

#include <stddef.h>

struct CUstream_st;

// A Benchmark is a stencil on n^dims elements in one type.
struct Benchmark {
  const char *name, *type;
  int bytes; // of an element
  int dims, arrays, planes; // planes of each array
  double halo; // points on both sides of a dimension that no step changes, together
  double flops; // of an update
};

// A Config is a way to compute it. run puts T steps into a stream and returns 0 or an error.
struct Config {
  const Benchmark *benchmark;
  const char *name; // "a (global)", "untiled 64x4 by 4"
  const char *tile;
  int (*run)(int T, int n, void *const *arrays, CUstream_st *stream);
  // Of a full tile, by update: bytes of global and of shared memory that move, operations. 0: not known.
  double global, shared, operations;
};

extern const Benchmark benchmarks[];
extern const Config configs[];
extern const int benchmark_count, config_count;

#endif
