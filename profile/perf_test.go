package profile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPerf: what bounds a program, by counters that leave no doubt.
func TestPerf(t *testing.T) {
	const clock = "1000,msec,task-clock,1,100.00,4.000,CPUs utilized\n"
	for _, c := range []struct {
		text string
		want string // classes
	}{
		{"1000,msec,task-clock,1,100.00,1.000,CPUs utilized\n", "idle threads"},
		{clock, ""},
		{clock + "100,,cycles:u,1,100,,\n250,,instructions:u,1,100,,\n", "arithmetic"},
		{clock + "100,,cpu_core/cycles/,1,100,,\n50,,cpu_core/instructions/u,1,100,,\n2,,LLC-load-misses,1,100,,\n", "memory"},
		{clock + "100,,cycles,1,100,,\n50000,,instructions,1,100,,\n", "arithmetic"},
		{clock + "100000,,cycles,1,100,,\n50000,,instructions,1,100,,\n2,,cache-misses,1,100,,\n", "caches"},
		{clock + "100,,cycles,1,100,,\n150,,instructions,1,100,,\n3,,branch-misses,1,100,,\n", "starts of rows"},
		{clock + "100,,slots,1,100,,\n40,,topdown-mem-bound,1,100,,\n100,,cycles,1,100,,\n250,,instructions,1,100,,\n", "memory"},
		{clock + "100,,slots,1,100,,\n10,,topdown-mem-bound,1,100,,\n60,,topdown-retiring,1,100,,\n", "arithmetic"},
		{strings.ReplaceAll(clock, ",", ";") + "100;;cycles;1;100;;\n50;;cycles;1;100;;\n300;;instructions;1;100;;\n", "arithmetic"},
		{clock + "1000,,cycles,1,100,,\n1300,,instructions,1,100,,\n7,,cache-misses,1,100,,\n500,,stalled-cycles-backend,1,100,,\n", "memory"},
	} {
		r, err := ParsePerf("perf.csv", []byte(c.text))
		require.NoError(t, err)
		var classes []string
		for _, f := range r.Classify(4) {
			classes = append(classes, string(f.Class))
			require.NotEmpty(t, f.Text)
		}
		require.Equal(t, c.want, strings.Join(classes, " "), c.text)
	}
	r, err := ParsePerf("perf.csv", []byte("100,,cpu_core/cycles/,1,1,,\n50,,cpu_atom/cycles/,1,1,,\n"))
	require.NoError(t, err)
	require.Equal(t, map[string]float64{"cycles": 150}, r.Counts, "processors of two kinds count by themselves")
	for _, bad := range []string{"", "\n", "a,b", "x,,cycles,1,1,,\n", "int main(void) { return f(1, 2, 3); }\n"} {
		_, err := ParsePerf("perf.csv", []byte(bad))
		require.Error(t, err, fmt.Sprintf("%q", bad))
	}
}
