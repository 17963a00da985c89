package crun_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/scop"
)

// TestFailingInputs checks what is found: a size for which a fact does not hold, with all others holding, one that only
// a region without iterations may have, and arrays that overlap.
func TestFailingInputs(t *testing.T) {
	res, err := hexcc.Compile(hexcc.Source{Name: "f.c", Text: []byte(cases.TwoPointers)}, hexcc.Options{NoAlias: true, Assume: []string{"n>=20", "T<=7"}})
	require.NoError(t, err)
	found := crun.FailingInputs(res.Scop, [][]int64{{0, 20}, {5, 40}}, 1)
	require.Len(t, found, 3)
	sizes := []string{}
	for _, x := range found[:2] {
		require.NoError(t, x.Err, x.What)
		require.Nil(t, x.Input.Overlap)
		sizes = append(sizes, x.What+": "+x.Input.Sizes())
	}
	require.ElementsMatch(t, []string{"n >= 20: T=0, n=19", "T <= 7: T=8, n=20"}, sizes)
	require.Equal(t, "arrays a and b do not overlap", found[2].What)
	require.NotNil(t, found[2].Input.Overlap)
	require.Equal(t, "T=5, n=40", found[2].Input.Sizes())

	found = crun.FailingInputs(res.Scop, [][]int64{{5, 1}}, 1)
	require.ErrorContains(t, found[2].Err, "no arrays are large enough to overlap")

	few := "void f(int n, double *T, const double *v) {\n#pragma scop\nfor (int i = 0; i < n; i++) T[i] = v[2];\n#pragma endscop\n}\n"
	res, err = hexcc.Compile(hexcc.Source{Name: "f.c", Text: []byte(few)}, hexcc.Options{})
	require.NoError(t, err)
	found = crun.FailingInputs(res.Scop, [][]int64{{40}}, 1)
	require.Len(t, found, 1)
	require.ErrorContains(t, found[0].Err, "of one of them only some elements are used")
}

// TestOverlap checks that a run with overlapping arrays tells a program that minds from one that does not: the C
// target takes them as apart, once its test is taken out.
func TestOverlap(t *testing.T) {
	res, err := hexcc.Compile(hexcc.Source{Name: "f.c", Text: []byte(cases.TwoPointers)}, hexcc.Options{NoAlias: true, Target: hexcc.C})
	require.NoError(t, err)
	cc, err := crun.Compiler()
	require.NoError(t, err)
	compile := func(text string) *crun.Binary {
		b, err := crun.Compile(cc, t.TempDir(), []*scop.Program{res.Scop}, []byte(text))
		require.NoError(t, err)
		return b
	}
	run := func(b *crun.Binary, in crun.Input) (*scop.Memory, string) {
		all, says, err := b.Run([]crun.Input{in})
		require.NoError(t, err)
		return all[0], says
	}
	in := crun.FailingInputs(res.Scop, [][]int64{{5, 40}}, 1)[0].Input
	want, _ := run(compile(cases.TwoPointers), in)
	apart := in
	apart.Overlap = nil
	other, _ := run(compile(cases.TwoPointers), apart)
	require.Positive(t, want.Compare(other).Differ, "it matters that they overlap")

	got, says := run(compile(res.C.Text), in)
	require.Zero(t, want.Compare(got).Differ)
	require.Contains(t, says, "it does not hold that arrays a and b do not overlap: the original loops run")
	_, says = run(compile(res.C.Text), apart)
	require.Empty(t, says)

	const test = "return !violated;"
	require.Equal(t, 1, strings.Count(res.C.Text, test))
	got, _ = run(compile(strings.Replace(res.C.Text, test, "return 1;", 1)), in)
	require.Positive(t, want.Compare(got).Differ)

	_, err = crun.Compile(cc, t.TempDir(), []*scop.Program{res.Scop}, []byte("void f("))
	require.ErrorContains(t, err, filepath.Base(cc))
}

// TestNoCompiler checks what is said where there is none.
func TestNoCompiler(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := crun.Compiler()
	require.ErrorContains(t, err, "there is no C compiler on PATH: gcc, cc or clang")
}
