
// Lines of strips side by side. Of many copies and columns in a beat that depend on what a lane has, each is under a predicate of its own, so that compilers calculate what else it
// takes once for all of them, and not behind a branch.

// Begins to copy an element if some bit is set. PLAIN: few are under a condition.
template <bool PLAIN, class T> static __device__ __forceinline__ void hexcc_fetch_if(unsigned bits, T *to, const T *from)
{
  if (PLAIN) {
    if (bits != 0)
      hexcc_fetch(to, from);
    return;
  }
#if __CUDA_ARCH__ >= 800
  const unsigned at = (unsigned)__cvta_generic_to_shared(to);
  if (sizeof(T) == 4)
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p cp.async.ca.shared.global [%0], [%1], 4; }" : : "r"(at), "l"(__cvta_generic_to_global(from)), "r"(bits) : "memory");
  else
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p cp.async.ca.shared.global [%0], [%1], 8; }" : : "r"(at), "l"(__cvta_generic_to_global(from)), "r"(bits) : "memory");
#else
  if (bits != 0)
    hexcc_fetch(to, from);
#endif
}

// Stores an element of shared memory if some bit is set.
template <bool PLAIN, class T> static __device__ __forceinline__ void hexcc_store_if(unsigned bits, T *to, const T *from)
{
  if (PLAIN) {
    if (bits != 0)
      *to = *from;
    return;
  }
#if __CUDA_ARCH__
  if (sizeof(T) == 4)
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.b32 [%0], %1; }" : : "l"(__cvta_generic_to_global(to)), "r"(*(const unsigned *)from), "r"(bits) : "memory");
  else
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.b64 [%0], %1; }" : : "l"(__cvta_generic_to_global(to)), "l"(*(const unsigned long long *)from), "r"(bits) : "memory");
#else
  if (bits != 0)
    *to = *from;
#endif
}

// All bits of a word for each of K columns whose bit is set, of which compilers do not know where they come from.
template <int K> static __device__ __forceinline__ void hexcc_edges(unsigned (&edges)[K], unsigned bits)
{
#pragma unroll
  for (int i = 0; i < K; i++)
    edges[i] = hexcc_anew(0u - (bits >> i & 1));
}

// Begins to copy those of K columns of a lane whose bits are set to a slot of shared memory, where to is its first one: from K neighbours.
template <int K, int N, class T> static __device__ __forceinline__ void hexcc_bring_line(T *to, unsigned bits, const T *from)
{
#pragma unroll
  for (int i = 0; i < K; i++)
    hexcc_fetch_if<false>(bits & 1u << i, to + i / N * 34 * N + i % N, from + i);
}

// Sets those of K columns to a value whose words are set: a selection takes no predicate so.
template <int K, class T> static __device__ __forceinline__ void hexcc_blend(T *row, const unsigned *edges, T value)
{
  unsigned held[sizeof(T) / 4], word[sizeof(T) / 4];
  memcpy(held, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < K; i++) {
    memcpy(word, row + i, sizeof(T));
#pragma unroll
    for (int w = 0; w < (int)sizeof(T) / 4; w++)
#if __CUDA_ARCH__
      asm("lop3.b32 %0, %1, %2, %0, 0xca;" : "+r"(word[w]) : "r"(edges[i]), "r"(held[w]));
#else
      word[w] = (held[w] & edges[i]) | (word[w] & ~edges[i]);
#endif
    memcpy(row + i, word, sizeof(T));
  }
}
