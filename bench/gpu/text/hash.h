// What the runner on the GPU and the original programs on the CPU share: the
// values that arrays begin with, and the hash by which results are compared.
#ifndef HEXCC_BENCH_HASH_H
#define HEXCC_BENCH_HASH_H

#ifdef __CUDACC__
#define BOTH static inline __host__ __device__
#else
#define BOTH static inline
#endif

typedef unsigned long long word;

enum { CHUNK = 65536 }; // elements of a hash

// mix is the finalizer of splitmix64.
BOTH word mix(word x)
{
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// initial is element k of array a at first: from 0.5 on, below 1.5, exact in both types.
BOTH double initial(int a, word k) { return 0.5 + (double)(mix(k * 8 + (word)a) >> 41) / 8388608.0; }

// hashed is what an element adds to the hash of its chunk: the sum over the chunk
// depends on every bit of every element, and on where it stands.
BOTH word hashed(word bits, word k) { return mix(bits ^ mix(k)); }

#endif
