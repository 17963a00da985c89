package openmp

// This file says what vectors call for fused multiply-adds.

// fmaHead defines it where the processor has them, by what compilers have for such vectors: clang for vectors of any length, gcc for those of
// each instruction. Elsewhere numbers are taken one by one, for which compilers take what there is, or call fma. Blocks have names of their own,
// so that operands may hold such a block, too.
const fmaHead = `
#if HEXCC_VECTORS
#if defined __clang__ && __has_builtin(__builtin_elementwise_fma)
#define HEXCC_FMA8(a, b, c) __builtin_elementwise_fma(a, b, c)
#define HEXCC_FMA16(a, b, c) __builtin_elementwise_fma(a, b, c)
#elif defined __AVX512F__ && defined __GNUC__ && !defined __clang__
#define HEXCC_FMA8(a, b, c) ((hexcc_double8)__builtin_ia32_vfmaddpd512_mask(a, b, c, -1, 4)) // all elements, rounded as ever
#define HEXCC_FMA16(a, b, c) ((hexcc_float16)__builtin_ia32_vfmaddps512_mask(a, b, c, -1, 4))
#else
#define HEXCC_FMA_EACH(type, lanes, function, a, b, c) __extension__({ \
    type hexcc_a = (a), hexcc_b = (b), hexcc_c = (c); \
    for (int hexcc_k = 0; hexcc_k < lanes; hexcc_k++) \
      hexcc_c[hexcc_k] = function(hexcc_a[hexcc_k], hexcc_b[hexcc_k], hexcc_c[hexcc_k]); \
    hexcc_c; \
  })
#define HEXCC_FMA8(a, b, c) HEXCC_FMA_EACH(hexcc_double8, 8, __builtin_fma, a, b, c)
#define HEXCC_FMA16(a, b, c) HEXCC_FMA_EACH(hexcc_float16, 16, __builtin_fmaf, a, b, c)
#endif
#endif
`

const fmaTail = `
#undef HEXCC_FMA8
#undef HEXCC_FMA16
#undef HEXCC_FMA_EACH
`
