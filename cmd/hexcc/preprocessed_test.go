package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/tool"
)

// Headers read from what the preprocessor has printed give what headers read from disk give.
func TestPreprocessedHeaders(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		tool.Missing(t, "%v", err)
	}
	host, err := askHost([]string{gcc, "-O2"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	region := func(body string) string {
		return "void f(int n, double *restrict a, const double *restrict b)\n{\n#pragma scop\n  for (int i = 1; i < n - 1; i++)\n    a[i] = " + body + ";\n#pragma endscop\n}\n"
	}
	dir := tool.Write(t, map[string]string{
		"own.h":   "#include <math.h>\n#ifndef SCALE\n#define SCALE 3\n#endif\nstatic inline double own(double x) { return SCALE * x; }\n",
		"known.h": "#ifdef __HEXCC__\n#include <math.h>\n#define CALL sqrt\n#else\n#define CALL\n#endif\n",
		"twice.h": "#include <assert.h>\n#include <stddef.h>\n#include <stdio.h>\n",
	})
	for name, text := range map[string]string{
		"functions":  "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n" + region("sqrt(b[i - 1]) + fabs(b[i + 1]) * M_PI") + "int main(void) { printf(\"%f\\n\", pow(2, 3)); return 0; }\n",
		"macros":     "#include <limits.h>\n#include <float.h>\n#include <stdbool.h>\n#include <stdint.h>\n" + region("b[i - 1] > DBL_MAX || INT_MAX < n ? b[i] : true"),
		"by pasting": "#include <math.h>\n#define CALL(f, x) f##rt(x)\n" + region("CALL(sq, b[i - 1])"),
		"own header": "#define SCALE 5\n#include \"own.h\"\n#include <math.h>\n" + region("own(b[i - 1]) + exp(b[i])"),
		"in between": "#include <stdio.h>\n#undef EOF\n#define EOF 2.5\n#include <stdlib.h>\n#include <stdio.h>\n" + region("EOF * b[i]"),
		"no debug":   "#include <assert.h>\n#define NDEBUG\n#include <assert.h>\n#include \"twice.h\"\n" + region("b[i]"),
		"strange":    "#define extern\n#define restrict\n#include <string.h>\n#undef extern\n#undef restrict\n" + region("b[i]"),
		"types":      "#include <stddef.h>\n#include <sys/types.h>\n#include <time.h>\n#include <complex.h>\nstruct s { size_t n; };\nvoid f(size_t n, float *restrict a, const float *restrict b)\n{\n#pragma scop\n  for (size_t i = 1; i < n; i++)\n    a[i] = b[i - 1];\n#pragma endscop\n}\n",
		"for us":     "#ifdef __HEXCC__\n#include <math.h>\n#endif\n#ifdef __HEXCC__\n" + region("sqrt(b[i])") + "#endif\n",
		"header too": "#include \"known.h\"\n" + region("CALL(b[i])"),
		"mistake":    "#include <math.h>\n" + region("sqr(b[i])"),
		"signal":     "#include <signal.h>\n#include <setjmp.h>\n#include <tgmath.h>\n" + region("b[i]") + "int g(void) { return signal(SIGINT, SIG_IGN) == SIG_ERR; }\n",
		"parallel":   "#include <unistd.h>\n#include <pthread.h>\n#include <errno.h>\nint g(void) { return errno; }\n" + region("b[i]"),
		"same names": "#include <math.h>\n#include <stdlib.h>\nvoid f(int n, double y0[restrict n], const double j1[restrict n], double div)\n{\n#pragma scop\n  for (int gamma = 1; gamma < n; gamma++)\n    y0[gamma] = div * j1[gamma - 1];\n#pragma endscop\n}\n",
	} {
		path := filepath.Join(dir, "s.c")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		printed, _ := exec.Command(gcc, "-O2", "-E", "-dD", path).Output()
		result := func(printed []byte) (string, error) {
			made := ""
			res, err := hexcc.Compile(hexcc.Source{Name: path, Text: []byte(text)}, hexcc.Options{Host: host, Printed: printed, Target: hexcc.C, Stop: "scop", Dump: func(_ string, p hexcc.Product) { made = p.String() }})
			return fmt.Sprint(made, res.Warnings, err), err
		}
		want, wrong := result(nil)
		got, _ := result(printed)
		if got != want {
			t.Errorf("%s: with what is printed\n%s\nwithout\n%s", name, got, want)
		}
		if (wrong != nil) != (name == "mistake") {
			t.Errorf("%s: %v", name, wrong)
		}
	}
}
