// What can be measured of a program: table.cu, which is written for each, and the runner share it.
#ifndef HEXCC_BENCH_CONFIG_H
#define HEXCC_BENCH_CONFIG_H

#include <stddef.h>

struct CUstream_st;

// An Array is an object in the memory of the device. p are the values of the parameters.
struct Array {
  const char *name;
  char type; // f: float, d: double, i: int
  int number; // of the array of the program that it is of, which its first values follow from
  size_t (*count)(const long *p); // of elements
  size_t (*plane)(const long *p); // the first values repeat after so many
  bool local; // nothing but the program sees its values
  bool constant; // never written
};

// A Grid is values of the parameters.
struct Grid {
  const char *name; // "n=16384,T=1000"
  const long *values;
  double instances; // of statements
};

// A Way is one to run the program. run puts it into a stream and returns 0 or an error.
struct Way {
  const char *name; // "streaming", "by hand 64x4 by 4"
  const char *tile;
  const char *same; // the way that has the same kernels, which are run there; NULL: none
  const char *refused; // why it does not run; NULL: it does
  int (*run)(const long *p, void *const *arrays, CUstream_st *stream);
  int (*check)(int argc, char **argv); // compares with the original program: 0 if all is equal; NULL: there is none
  const int *arrays; // which ones run gets
  double expected; // by the model, on the first grid, in instances a second; 0: not known
  int registers, blocks; // of a thread; at once on a multiprocessor; of the kernel with the most registers
  // Of a full tile, by instance: bytes of global and of shared memory that move, operations. 0: not known.
  double global, shared, operations;
};

extern const char *const program_name, *const program_kind; // "heat-2d", "float fma"
extern const bool program_fused; // products are fused with sums: results are compared within a tolerance
extern const int param_count, array_count, grid_count, way_count;
extern const char *const param_names[];
extern const bool param_times[]; // whether it bounds the time loop
extern const long check_values[]; // of a small grid
extern const Array arrays[];
extern const Grid grids[];
extern const Way ways[];

#endif
