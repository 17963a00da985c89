#undef assert
#ifdef NDEBUG
#define assert(c) ((void)0)
#else
#define assert(c) ((c) ? (void)0 : __hexcc_assert(#c))
#endif
#ifndef __HEXCC_ASSERT_H
#define __HEXCC_ASSERT_H
void __hexcc_assert(const char *);
#define static_assert _Static_assert
#endif
