package openmp_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/randc"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/scop"
)

var (
	programs = flag.Int("programs", 0, "random programs to try; 0: a few, more in CI")
	first    = flag.Uint64("first", 1, "the seed of the first of them")
	rounds   = flag.Int("rounds", 1, "how often to run tiles that wait for each other at each size, by each number of threads, with delays")
)

// TestRandomRows translates random programs whose bodies run in vectors, most of them, and
// compares all arrays with what the original leaves in them, bit for bit: rows of many
// lengths, in arrays that start anywhere, without and with vectors, under the sanitizers.
// Of a program that fails it prints a small part that does.
func TestRandomRows(t *testing.T) {
	count, ran, inVectors := tryRandom(t, 6, 12, randc.Rows)
	t.Logf("%d of %d programs ran, %d of them in vectors", ran, count, inVectors)
	require.Greater(t, inVectors, count/4)
}

// TestRandomPeriodic does the same with programs that have periodic subscripts in every dimension,
// which lie next to each other only in part.
func TestRandomPeriodic(t *testing.T) {
	count, ran, inVectors := tryRandom(t, 3, 3, randc.Periodic)
	t.Logf("%d of %d programs ran, %d of them in vectors", ran, count, inVectors)
	require.Greater(t, ran, count/3)
}

// tryRandom tries a few programs of a generator, or many in CI. It returns how many, how many of
// them ran, and in how many there are vectors.
func tryRandom(t *testing.T, few, many int, generate func(seed uint64, name string) *randc.Program) (count, ran, inVectors int) {
	count = *programs
	if count == 0 {
		if count = few; os.Getenv("CI") == "true" {
			count = many
		}
	}
	var clang string
	if all := compilers(t); len(all) > 1 && compilesVectors(t, all[1]) {
		clang = all[1]
	}
	gcc := compilers(t)[0]
	vectors := compilesVectors(t, gcc)
	for i := range count {
		seed := *first + uint64(i)
		r := rowsTrial{t: t, seed: seed, auto: seed%5 == 0}
		r.builds = append(r.builds, rowsBuild{gcc, []string{cases.Level("-O2"), "-fopenmp", "-DHEXCC_GRAIN=0"}})
		if vectors {
			r.builds = append(r.builds, rowsBuild{gcc, vectorFlags})
		}
		if clang != "" {
			r.builds = append(r.builds, rowsBuild{clang, vectorFlags})
		}
		p := generate(seed, "f")
		why := r.try(p)
		switch {
		case why == "":
			ran++
			if r.vectors {
				inVectors++
			}
			continue
		case strings.HasPrefix(why, "refused"):
			continue
		}
		kind, _, _ := strings.Cut(why, ":")
		t.Logf("seed %d: %s\n%s", seed, why, p)
		small := p.Shrink(60, func(p *randc.Program) bool { return strings.HasPrefix(r.try(p), kind) })
		t.Errorf("seed %d: %s\n%s", seed, r.try(small), small)
	}
	return count, ran, inVectors
}

// A rowsBuild is a compiler with flags.
type rowsBuild struct {
	compiler string
	flags    []string
}

// A rowsTrial tries the program of a seed.
type rowsTrial struct {
	t       *testing.T
	seed    uint64
	auto    bool // sizes of tiles chosen by hexcc
	builds  []rowsBuild
	vectors bool // the last program that was tried has vectors
}

// try returns what is wrong with the translation of p, "" if nothing is.
func (r *rowsTrial) try(p *randc.Program) (why string) {
	defer func() {
		if e := recover(); e != nil {
			why = fmt.Sprintf("panic: %v", e)
		}
	}()
	o := hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Base: "f", Stop: "cone"}
	source := hexcc.Source{Name: "f.c", Text: []byte(randc.Prelude + p.String())}
	res, err := hexcc.Compile(source, o)
	if err == nil {
		if o.Stop = ""; !r.auto {
			sizes := pipeline.Narrow.Of(res.Space, res.Cone)
			last := len(sizes.W) - 1
			sizes.W[last] = max([]int64{7, 21, 48}[r.seed%3], sizes.W[last])
			o.Tile = &sizes
		}
		res, err = hexcc.Compile(source, o)
	}
	var list diag.List
	if errors.As(err, &list) {
		for _, d := range list {
			if d.Severity == diag.Error && !p.MayRefuse(string(d.Code)) {
				return fmt.Sprintf("unexpected %s: %v", d.Code, d)
			}
		}
		return "refused " + list.Error()
	}
	if err != nil {
		return "error: " + err.Error()
	}
	r.vectors = strings.Contains(res.C.Text, "HEXCC_VECTORS")
	return r.compare(res)
}

// compare runs the original and the translation at many sizes, all in one process.
func (r *rowsTrial) compare(res *hexcc.Result) string {
	var regions []*scop.Program
	var inputs []crun.Input
	for m := int64(1 + r.seed%3); m <= randc.LargestRows[1]; m += 3 {
		steps := 1 + (m+int64(r.seed))%5
		n := 4 + (m*7+int64(r.seed))%(randc.LargestRows[0]-3)
		if mem := r.memory(res.Scop, map[string]int64{"T": steps, "n": n, "m": m, "k": m%9 - 3}); mem != nil {
			regions, inputs = append(regions, res.Scop), append(inputs, crun.Input{Memory: mem})
		}
	}
	if len(inputs) == 0 {
		return "refused: no size is allowed"
	}
	want, why := r.run("gcc", regions, res.Scop.Source, inputs)
	if why != "" {
		return "original: " + why
	}
	for _, b := range r.builds {
		got, why := r.run(b.compiler, regions, []byte(res.C.Text), inputs, b.flags...)
		what := fmt.Sprintf("%s %s", filepath.Base(b.compiler), b.flags[len(b.flags)-1])
		if why != "" {
			return "run: " + what + ": " + why
		}
		for i, mem := range want {
			if text := oracle.Different(mem, got[i]); text != "" {
				return fmt.Sprintf("differs: %s: %s: %s", what, mem.Sizes(), text)
			}
		}
	}
	return ""
}

// memory returns arrays, some with zeros below zero, infinities and what is no number among
// their elements, or nil if the program is not for such sizes.
func (r *rowsTrial) memory(p *scop.Program, sizes map[string]int64) *scop.Memory {
	params := make([]int64, len(p.Params))
	for k, q := range p.Params {
		params[k] = sizes[q.Name]
	}
	if !p.Allows(params) {
		return nil
	}
	mem, err := scop.NewMemory(p, params, r.seed+uint64(sizes["m"]))
	if err != nil {
		return nil
	}
	special := []float64{math.Copysign(0, -1), math.Inf(1), math.NaN(), 0, math.Inf(-1)}
	if by := sizes["m"] % 8; int(by) < len(special) {
		for _, s := range mem.Arrays {
			if s.Array.Elem.IsFloat() {
				for k := int(by); k < len(s.Cells); k += 101 {
					s.Cells[k] = bits(s.Array.Elem, special[by])
				}
			}
		}
	}
	return mem
}

func bits(t scop.Type, x float64) uint64 {
	if t == scop.Float {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// run compiles a source and runs it on all inputs.
func (r *rowsTrial) run(cc string, regions []*scop.Program, source []byte, inputs []crun.Input, flags ...string) ([]*scop.Memory, string) {
	dir := r.t.TempDir()
	defer os.RemoveAll(dir)
	wrap := filepath.Join(tool.Write(r.t, map[string]string{"wrap.c": wrapped}), "wrap.c")
	step := "-DSTEP=8"
	if regions[0].Arrays[0].Elem == scop.Float {
		step = "-DSTEP=4"
	}
	b, err := crun.Compile(cc, dir, regions, source, slices.Concat([]string{wrap, step, "-Wl,--wrap=malloc"}, flags, unchecked)...)
	if err != nil {
		return nil, err.Error()
	}
	results, says, err := b.Run(inputs, "ASAN_OPTIONS=detect_leaks=0")
	if err != nil {
		return nil, fmt.Sprintf("%v: %s", err, says)
	}
	if says != "" {
		return nil, says
	}
	return results, ""
}

// unchecked are what programs may do: extents of parameters are zero where the region does not
// use them, and a local of an integer type may be set to what is no number.
var unchecked = []string{"-fno-sanitize=vla-bound,float-cast-overflow"}

// wrapped is C: malloc whose blocks start at each multiple of STEP in a cache line in turn, and end where they should.
const wrapped = `#include <stdlib.h>
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
  static int calls;
  size_t from = calls++ * STEP % 64;
  return (char *)__real_malloc(size + from) + from;
}
`
