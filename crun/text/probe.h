/* hexcc: what stands around regions calls these; see probe.c. */
#ifdef __cplusplus
extern "C" {
#endif
void hexcc_probe_begin(int site);
void hexcc_probe_array(int site, int array, const void *first, unsigned long long from, unsigned long long to, int extents, ...);
void hexcc_probe_began(void);
void hexcc_probe_end(void);
#ifdef __cplusplus
}
#endif
