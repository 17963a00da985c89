package ctext

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
)

// TestPlaces: lines with marks are broken where those without are, and what stands in a place is, put together, what was marked.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		count := 0
		want := map[int]string{} // by the columns that are said
		var sum func(depth int) (marked, plain string)
		sum = func(depth int) (marked, plain string) {
			count++
			at := diag.Span{Pos: diag.Pos{File: "a b:c.c", Line: 7, Col: count}, Len: 1}
			if depth == 0 || r.IntN(4) == 0 {
				plain = fmt.Sprintf("A[i + %d]", r.IntN(1000))
				marked = plain
			} else {
				m1, p1 := sum(depth - 1)
				m2, p2 := sum(depth - 1)
				marked, plain = "("+m1+" + "+m2+")", "("+p1+" + "+p2+")"
			}
			want[at.Col] = plain
			return Placed(marked, &at), plain
		}
		marked, plain := sum(1 + r.IntN(5))
		var a, b Printer
		a.Depth = r.IntN(4)
		b.Depth = a.Depth
		a.Line("x = %s;", marked)
		b.Line("x = %s;", plain)
		text, places := Unplaced(a.Buf.String())
		require.Equal(t, b.Buf.String(), text)
		lines := strings.Split(text, "\n")
		got := map[int][]string{}
		for _, p := range places {
			require.Equal(t, diag.Pos{File: "a b:c.c", Line: 7, Col: p.At.Col}, p.At.Pos)
			got[p.At.Col] = append(got[p.At.Col], strings.TrimSpace(lines[p.Line-1][p.From:p.To]))
		}
		for column, plain := range want {
			require.Equal(t, strings.ReplaceAll(plain, " ", ""), strings.ReplaceAll(strings.Join(got[column], ""), " ", ""))
		}
	}
	text, places := Unplaced("no marks\n")
	require.Equal(t, "no marks\n", text)
	require.Empty(t, places)
}
