package frontend_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hexcc/hexcc/frontend"
)

// BenchmarkParse reads each case, and a long file with one region.
func BenchmarkParse(b *testing.B) {
	var long strings.Builder
	long.WriteString("#include <stdio.h>\n#include <math.h>\n")
	for i := range 300 {
		fmt.Fprintf(&long, "static double f%d(int n, const double *p)\n{\n  double s = 0;\n  for (int i = 0; i < n; i++) {\n    if (p[i] > %d)\n      s += sqrt(p[i]) * %d.5 - 3 * s;\n    printf(\"%%g\\n\", s);\n  }\n  return s;\n}\n", i, i, i)
	}
	cases := inputs(b)
	cases = append(cases[:12:12], long.String()+cases[0])
	for i, text := range cases {
		b.Run(fmt.Sprintf("%d-%d-lines", i, strings.Count(text, "\n")), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(text)}, frontend.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
