package e2e_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/randc"
	"github.com/hexcc/hexcc/machine"
)

// TestRandomPrograms sends random programs through the whole compiler and runs the
// kernels beside the original. Of a program that fails it prints a small part that does.
func TestRandomPrograms(t *testing.T) {
	count, verified := tryRandom(t, 12, randc.Generate, hexcc.Options{})
	require.Greater(t, verified, count/20)
}

// TestRandomPeriodic does the same with programs that have periodic subscripts in every dimension.
func TestRandomPeriodic(t *testing.T) {
	count, verified := tryRandom(t, 12, randc.Periodic, hexcc.Options{})
	require.Greater(t, verified, count/3)
}

// TestRandomOnCPU does the same with the loops for CPUs, in tiles for small caches.
func TestRandomOnCPU(t *testing.T) {
	small, err := machine.ParseCPU("l1=4K,l2=4K,l3=4K,cores=1")
	require.NoError(t, err)
	count, verified := tryRandom(t, 12, randc.Rows, hexcc.Options{Target: hexcc.OpenMP, CPU: small})
	require.Greater(t, verified, count/20)
}

// tryRandom tries a few programs of a generator, more of them in CI, and returns how many,
// and how many of them were verified.
func tryRandom(t *testing.T, few int, generate func(seed uint64, name string) *randc.Program, o hexcc.Options) (count, verified int) {
	count = *wideCount
	if count == 0 {
		if count = few; os.Getenv("CI") == "true" {
			count = 2 * few
		}
	}
	for i := range count {
		p := generate(*wideFirst+uint64(i), "f")
		why := tryWhole(p, o)
		if why == "" {
			verified++
		}
		if why == "" || strings.HasPrefix(why, "refused") {
			continue
		}
		kind, _, _ := strings.Cut(why, ":")
		small := p.Shrink(200, func(p *randc.Program) bool { return strings.HasPrefix(tryWhole(p, o), kind) })
		t.Fatalf("seed %d: %s\n%s", *wideFirst+uint64(i), tryWhole(small, o), small)
	}
	t.Logf("%d of %d programs verified", verified, count)
	return count, verified
}

// tryWhole returns what is wrong with the translation of p, "" if nothing is.
func tryWhole(p *randc.Program, o hexcc.Options) (why string) {
	defer func() {
		if r := recover(); r != nil {
			why = fmt.Sprintf("panic: %v", r)
		}
	}()
	res, err := hexcc.Compile(source([]byte(randc.Prelude+p.String())), o)
	var list diag.List
	if errors.As(err, &list) {
		for _, d := range list {
			if d.Severity == diag.Error && !p.MayRefuse(string(d.Code)) {
				return fmt.Sprintf("unexpected %s: %v", d.Code, d)
			}
		}
		return "refused"
	}
	if err != nil {
		return "error: " + err.Error()
	}
	v, err := emulate.Verify(emulate.Request{Program: res.GPU, CPU: res.CPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 1000, First: true})
	switch {
	case err != nil && errors.As(err, new(*diag.Diagnostic)):
		return "refused to run"
	case err != nil:
		return "verification error: " + err.Error()
	case v.Empty() != "":
		return "refused to run: " + v.Empty()
	case !v.OK():
		return fmt.Sprintf("wrong: %v", v)
	}
	return ""
}

func source(text []byte) hexcc.Source { return hexcc.Source{Name: "input.c", Text: text} }
