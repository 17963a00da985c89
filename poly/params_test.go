package poly_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/poly"
)

// TestParamSet compares sets made of random constraints with those made of text that says the same.
func TestParamSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	params := []string{"n", "m", "k"}
	empty := 0
	for range 500 {
		var constraints []poly.Constraint
		var texts []string
		for range rng.IntN(6) {
			c := poly.Constraint{Eq: rng.IntN(4) == 0, Affine: poly.Affine{Const: int64(rng.IntN(11) - 5)}}
			text := fmt.Sprint(c.Const)
			for _, p := range params[:rng.IntN(4)] {
				x := int64(rng.IntN(7) - 3)
				c.Params = append(c.Params, x)
				text += fmt.Sprintf(" + %d%s", x, p)
			}
			constraints = append(constraints, c)
			texts = append(texts, text+map[bool]string{true: " = 0", false: " >= 0"}[c.Eq])
		}
		where := "[n, m, k] -> { : }"
		if len(texts) > 0 {
			where = "[n, m, k] -> { : " + strings.Join(texts, " and ") + " }"
		}
		got, want := poly.ParamSet(params, constraints...), poly.MustSet(where)
		require.True(t, got.IsEqual(want), "%s\n%v", where, got)
		require.Equal(t, want.IsEmpty(), got.IsEmpty())
		if got.IsEmpty() {
			empty++
		}
	}
	require.Greater(t, empty, 50)
}
