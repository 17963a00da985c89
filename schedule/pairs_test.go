package schedule

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// wide returns a program of one nest that stores so many elements of one array, apart by a number or not, each from one that is read.
func wide(stores int, apart bool) *scop.Program {
	a := &scop.Array{Name: "A", Elem: scop.Float, Extents: []scop.Affine{{Const: int64(stores)}, {Const: 1000}}}
	st := &scop.Stmt{Name: "S0", Iters: []string{"t", "i"}, Domain: poly.MustSet("{ S0[t, i] : 0 <= t < 10 and 1 <= i < 999 }")}
	access := func(k int, shift int64, write bool) *scop.Access {
		row := scop.Affine{Const: int64(k)}
		column := scop.Affine{Const: shift, Iters: []int64{0, 1}}
		if !apart {
			row, column = scop.Affine{}, scop.Affine{Const: int64(2*k) + shift, Iters: []int64{0, 1}}
		}
		m := poly.MustMap(fmt.Sprintf("{ S0[t, i] -> A[%d, i + %d] }", row.Const, column.Const))
		return &scop.Access{Array: a, Index: []scop.Index{{Affine: row}, {Affine: column}}, Write: write, Map: m, Text: "A[..]"}
	}
	for k := range stores {
		st.Accesses = append(st.Accesses, access(k, -1, false), access(k, 0, true))
	}
	return &scop.Program{Arrays: []*scop.Array{a}, Stmts: []*scop.Stmt{st}, Context: poly.MustSet("{ : }")}
}

// TestPairs checks that stores to different rows are no pairs to look at, and that too many pairs end at a bound with its name.
func TestPairs(t *testing.T) {
	p := wide(200, true)
	require.Equal(t, 3*200, pairs([][]*scop.Access{distinct(p.Stmts[0].Accesses)}), "each row has a store, and a load before and after it")
	deps, err := Dependences(wide(10, true))
	require.NoError(t, err)
	require.Len(t, deps, 3*10)

	p = wide(200, false)
	require.Equal(t, 3*200*200, pairs([][]*scop.Access{distinct(p.Stmts[0].Accesses)}))
	_, err = Dependences(p)
	var list diag.List
	require.True(t, errors.As(err, &list), "%v", err)
	require.Equal(t, diag.Code("HX402"), list[0].Code)
	require.True(t, strings.Contains(list[0].Msg, "maxPairs"), list[0].Msg)
	require.Equal(t, 4, list.ExitStatus())
}
