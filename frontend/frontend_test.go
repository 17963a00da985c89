package frontend_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/scop"
)

const twoRegions = `#include "sizes.h"
#include "sizes.h"
#include <math.h>
float A[2][N];

void f(int T)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      A[(t + 1) % 2][i] = sqrtf(A[t % 2][i - 1]);
#pragma endscop
}

void g(int T)
{
  #pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      A[(t + 1) % 2][i] = SCALE * A[t % 2][i + 1];
  #pragma endscop
}
`

// TestHeadersAndFlags checks -I, -D, -U, #pragma once, the list of headers, and
// that a region is whole lines.
func TestHeadersAndFlags(t *testing.T) {
	dir := t.TempDir()
	header := filepath.Join(dir, "sizes.h")
	require.NoError(t, os.WriteFile(header, []byte("#pragma once\nenum { N = SIZE };\n#ifdef BAD\n#error bad\n#endif\n"), 0o600))
	src := frontend.Source{Name: "s.c", Text: []byte(twoRegions)}
	res, err := frontend.Parse(src, frontend.Options{
		IncludeDirs: []string{dir}, Defines: []string{"SIZE=9", "SCALE", "BAD"}, Undefines: []string{"BAD"},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{header}, res.Headers)
	require.Len(t, res.Programs, 2)
	f, g := res.Programs[0], res.Programs[1]
	assert.Equal(t, "f", f.Function)
	assert.Equal(t, "g", g.Function)
	assert.Equal(t, []scop.Affine{{Const: 2}, {Const: 9}}, trimmed(g.Arrays[0].Extents))
	text := twoRegions[g.Region.Start:g.Region.End]
	assert.Regexp(t, `^  #pragma scop\n(?s:.*)\n  #pragma endscop\n$`, text)
	assert.Equal(t, 17, g.Region.StartLine)
	assert.Equal(t, 21, g.Region.EndLine)
	a := g.Stmts[0].Accesses[0]
	assert.Equal(t, "A[t % 2][i + 1]", a.Text)
	assert.Equal(t, "s.c:20:35", a.Pos.Pos.String())
	assert.Equal(t, len(a.Text), a.Pos.Len)
}

func trimmed(as []scop.Affine) (out []scop.Affine) {
	for _, a := range as {
		out = append(out, scop.Affine{Const: a.Const})
	}
	return out
}

// TestDeterminism checks that equal input gives equal results, at the same time too.
func TestDeterminism(t *testing.T) {
	for _, text := range inputs(t) {
		parse := func() string {
			res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(text)}, frontend.Options{})
			if err != nil {
				return err.Error()
			}
			return res.Programs[0].String()
		}
		want := parse()
		results := make(chan string)
		for range 3 {
			go func() { results <- parse() }()
		}
		for range 3 {
			assert.Equal(t, want, <-results)
		}
	}
}

// TestMembersOfTwoStructs: one field of two structs has one declaration, and still an order.
func TestMembersOfTwoStructs(t *testing.T) {
	text := `struct grid { double k, *restrict u; };
void f(int T, int n, struct grid *a, struct grid *b, struct grid *c)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++) {
      c->u[i] = c->k * a->u[i];
      b->u[i] = b->k * a->k;
    }
#pragma endscop
}
`
	for range 10 {
		res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(text)}, frontend.Options{})
		require.NoError(t, err)
		p := res.Programs[0]
		require.Equal(t, []string{"a_u", "b_u", "c_u"}, []string{p.Arrays[0].Name, p.Arrays[1].Name, p.Arrays[2].Name})
		require.Equal(t, []string{"a_k", "b_k", "c_k"}, []string{p.Scalars[0].Name, p.Scalars[1].Name, p.Scalars[2].Name})
	}
}

// TestReadForNothing: an array of which nothing is used is no array of the program.
func TestReadForNothing(t *testing.T) {
	res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(`void f(int T, int n, double A[restrict n], const float *restrict B)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++) {
      float x = B[i];
      A[i] += 1;
    }
#pragma endscop
}
`)}, frontend.Options{})
	require.NoError(t, err)
	require.Len(t, res.Programs[0].Arrays, 1)
}
