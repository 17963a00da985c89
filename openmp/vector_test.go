package openmp_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// reports are the flags with which compilers tell of the loops that they vectorised.
var reports = map[string][]string{
	"gcc":   {"-fopt-info-vec-optimized"},
	"clang": {"-Rpass=loop-vectorize"},
}

// simd finds the lines before loops over points.
var simd = regexp.MustCompile(`(?m)^(#pragma omp simd| *HEXCC_SIMD)$`)

// TestVectorised compiles every case as users do, and reads in the reports of
// the compilers that they vectorise every loop over points: in CI of one compiler for each case, unless HEXCC_TESTS=all.
func TestVectorised(t *testing.T) {
	cases.Each(t, func(t *testing.T, base, text string) {
		t.Parallel()
		for _, target := range []hexcc.Target{hexcc.OpenMP, hexcc.C} {
			if target == hexcc.C && !slices.Contains([]string{"jacobi-1d", "heat-2d", "fdtd-2d", "life"}, base) {
				continue
			}
			res := compile(t, base, text, hexcc.Options{Target: target, NoAlias: true, Strategy: hexcc.Hybrid}, true)
			for i, compiler := range compilers(t) {
				if cases.InTurns() && i != len(base)%2 {
					continue
				}
				name := []string{"gcc", "clang"}[i]
				require.Empty(t, notVectorised(t, compiler, name, base, res.C.Text), "%s %s", name, target)
			}
		}
	})
}

// TestScalar checks that the reports of compilers that are told to vectorise nothing name no loop.
func TestScalar(t *testing.T) {
	o := hexcc.Options{Target: hexcc.C, NoAlias: true}
	res := compile(t, "jacobi-2d", cases.Input(t, "jacobi-2d"), o, true)
	for i, compiler := range compilers(t) {
		name, off := []string{"gcc", "clang"}[i], []string{"-fno-tree-vectorize", "-fno-vectorize"}[i]
		text := strings.ReplaceAll(res.C.Text, `_Pragma("clang loop vectorize(assume_safety)")`, "")
		missing := notVectorised(t, compiler, name, "jacobi-2d", text, off)
		require.Len(t, missing, len(simd.FindAllString(text, -1)), name)
	}
}

// notVectorised returns the lines of loops over points that the report of a compiler does not name.
func notVectorised(t *testing.T, compiler, name, base, text string, more ...string) (missing []string) {
	source := filepath.Join(tool.Write(t, map[string]string{base + ".hex.c": text}), base+".hex.c")
	args := slices.Concat([]string{"-O3", "-march=x86-64-v3", "-ffp-contract=off", "-fno-math-errno", "-fopenmp", "-w"},
		reports[name], more, []string{"-c", source, "-o", source + ".o"})
	report := tool.Run(t, compiler, args...)
	done := map[int]bool{}
	for _, found := range regexp.MustCompile(`(?m)\.hex\.c:(\d+):\d+: (?:optimized: +loop vectorized|remark: vectorized loop)`).FindAllStringSubmatch(report, -1) {
		line, err := strconv.Atoi(found[1])
		require.NoError(t, err)
		done[line] = true
	}
	lines := strings.Split(text[:strings.Index(text, "#line 1 ")], "\n")
	loops := 0
	for i, line := range lines {
		if !simd.MatchString(line) {
			continue
		}
		loops++
		found := false
		for at, depth := i, 0; at == i || depth > 0; at++ { // reports name the pragma, the head, or the body
			found = found || done[at+1]
			depth += strings.Count(lines[at+1], "{") - strings.Count(lines[at+1], "}")
		}
		if !found {
			missing = append(missing, fmt.Sprintf("%d: %s", i+2, lines[i+1]))
		}
	}
	require.NotZero(t, loops)
	return missing
}
