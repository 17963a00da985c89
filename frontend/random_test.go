package frontend_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/randc"
	"github.com/hexcc/hexcc/scop"
)

var (
	programs = flag.Int("programs", 0, "random programs to try; 0: a few, more in CI")
	first    = flag.Uint64("first", 1, "the seed of the first of them")
)

// batch is how many programs are compiled by one run of the C compiler.
const batch = 40

// TestRandomPrograms compares what random programs mean to us, run by the
// interpreter, with what the C compiler makes of them at -O0 and at -O2, bit for
// bit, at several sizes. Of a program that fails it prints a small part that does.
func TestRandomPrograms(t *testing.T) {
	count := *programs
	if count == 0 {
		if count = batch; os.Getenv("CI") == "true" {
			count = 2 * batch
		}
	}
	taken := 0
	for from := 0; from < count; from += batch {
		var ps []*randc.Program
		for i := range min(batch, count-from) {
			ps = append(ps, randc.Generate(*first+uint64(from+i), fmt.Sprintf("f%d", i)))
		}
		n, bad, why := tryPrograms(t, ps)
		taken += n
		if why == "" {
			continue
		}
		kind := kindOf(why)
		seed := *first + uint64(from+bad)
		t.Logf("seed %d: %s\n%s", seed, why, ps[bad])
		small := ps[bad].Shrink(300, func(p *randc.Program) bool {
			_, _, why := tryPrograms(t, []*randc.Program{p})
			return kindOf(why) == kind
		})
		_, _, why = tryPrograms(t, []*randc.Program{small})
		t.Fatalf("seed %d: %s\n%s", seed, why, small)
	}
	t.Logf("%d of %d programs taken", taken, count)
	require.Greater(t, taken, count/4)
}

var variable = regexp.MustCompile(`random\.c:\d+:\d+: |'.*|: T=.*`)

// kindOf returns what is wrong without the names and numbers in it.
func kindOf(why string) string { return variable.ReplaceAllString(why, "") }

// tryPrograms tries programs in one file. It returns how many the front end takes
// and, if one of them fails, which and why.
func tryPrograms(t *testing.T, ps []*randc.Program) (taken, bad int, why string) {
	text := randc.Prelude
	lines := make([]int, len(ps)) // the last line of each
	for i, p := range ps {
		text += p.String()
		lines[i] = strings.Count(text, "\n")
	}
	res, list, panicked := parseSafely(text)
	if panicked != "" {
		for i, p := range ps {
			if _, _, one := parseSafely(randc.Prelude + p.String()); one != "" {
				return 0, i, "panic: " + one
			}
		}
		return 0, 0, "panic only together: " + panicked
	}
	for _, d := range list {
		i := slices.IndexFunc(lines, func(last int) bool { return d.At.Line <= last })
		if d.Severity == diag.Error && (i < 0 || !slices.Contains(ps[max(i, 0)].May, string(d.Code))) {
			return 0, max(i, 0), fmt.Sprintf("refused with %s: %v", d.Code, d)
		}
	}
	if res == nil {
		return 0, 0, "nothing was read: " + list.Error()
	}
	require.Len(t, res.Programs, len(ps))
	var sound []*scop.Program
	for _, p := range res.Programs {
		if p != nil {
			sound = append(sound, p)
		}
	}
	if len(sound) == 0 {
		return 0, 0, ""
	}
	p, why := compareAll(t, sound)
	return len(sound), slices.Index(res.Programs, p), why
}

func parseSafely(text string) (res *frontend.Result, list diag.List, panicked string) {
	defer func() {
		if r := recover(); r != nil {
			panicked = fmt.Sprint(r)
		}
	}()
	res, err := frontend.Parse(frontend.Source{Name: "random.c", Text: []byte(text)}, frontend.Options{})
	if err != nil {
		list = err.(diag.List)
	}
	return res, list, ""
}

// sizes are the values of the parameters of random programs.
var sizes = []map[string]int64{
	{"T": 0, "n": 7, "m": 8, "c": 3}, {"T": 1, "n": 1, "m": 2, "c": -1}, {"T": 2, "n": 9, "m": 7, "c": 2},
	{"T": 3, "n": 8, "m": 11, "c": 9}, {"T": 5, "n": 13, "m": 10, "c": 5},
}

// compareAll runs programs of one source. It returns the first that differs, and how.
func compareAll(t *testing.T, ps []*scop.Program) (*scop.Program, string) {
	plain, fast := oracle.CompileAll(t, ps, "-O0"), oracle.CompileAll(t, ps, "-O2")
	for seed, size := range sizes {
		mems := make([]*scop.Memory, len(ps))
		for i, p := range ps {
			params := make([]int64, len(p.Params))
			for k, q := range p.Params {
				params[k] = size[q.Name]
			}
			if !p.Allows(params) { // where C forbids an access, there is nothing to compare
				for k := range params {
					params[k] = 12
				}
				p.Settle(params)
			}
			mem, err := scop.NewMemory(p, params, uint64(seed))
			require.NoError(t, err)
			mems[i] = mem
		}
		want, again := plain.Run(t, mems), fast.Run(t, mems)
		for i, p := range ps {
			if text := oracle.Different(want[i], again[i]); text != "" {
				return p, fmt.Sprintf("-O0 and -O2 differ: %s: %s", mems[i].Sizes(), text)
			}
			if err := runSafely(p, mems[i]); err != "" {
				return p, fmt.Sprintf("interpreter: %s: %s", mems[i].Sizes(), err)
			}
			if text := oracle.Different(want[i], mems[i]); text != "" {
				return p, fmt.Sprintf("interpreter and C differ: %s: %s", mems[i].Sizes(), text)
			}
		}
	}
	return nil, ""
}

func runSafely(p *scop.Program, mem *scop.Memory) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint("panic: ", r)
		}
	}()
	if err := scop.Run(p, mem); err != nil {
		return err.Error()
	}
	return ""
}
