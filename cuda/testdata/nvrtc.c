/* Compiles the kernels of a CUDA file with NVRTC and prints what ptxas says of
   them: nvrtc FILE OPTION... */
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>

static char *contents(const char *path)
{
  FILE *f = fopen(path, "rb");
  if (!f || fseek(f, 0, SEEK_END) != 0)
    return NULL;
  long n = ftell(f);
  rewind(f);
  char *text = malloc((size_t)n + 1);
  if (text && fread(text, 1, (size_t)n, f) == (size_t)n) {
    text[n] = '\0';
    fclose(f);
    return text;
  }
  return NULL;
}

int main(int argc, char **argv)
{
  char *source = argc > 1 ? contents(argv[1]) : NULL;
  nvrtcProgram program;
  if (!source || nvrtcCreateProgram(&program, source, argv[1], 0, NULL, NULL) != NVRTC_SUCCESS)
    return 2;
  nvrtcResult result = nvrtcCompileProgram(program, argc - 2, (const char *const *)(argv + 2));
  size_t n = 0;
  if (nvrtcGetProgramLogSize(program, &n) == NVRTC_SUCCESS && n > 1) {
    char *log = malloc(n);
    if (log && nvrtcGetProgramLog(program, log) == NVRTC_SUCCESS)
      fputs(log, stdout);
  }
  return result == NVRTC_SUCCESS ? 0 : 1;
}
