package poly

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestISLTable checks the lines of testdata/isl.txt, without isl.
func TestISLTable(t *testing.T) {
	table(t, "isl", func(t *testing.T, f []string) {
		require.Len(t, f, 5)
		switch got := named(t, f[0]).apply(f[1], f[2], f[3]).(type) {
		case Set:
			sameSets(t, MustSet(f[4]), got)
		case Map:
			assert.True(t, got.IsEqual(MustMap(f[4])), "want %s\ngot  %v", f[4], got)
		case PwMultiAff:
			assert.True(t, got.Map().IsEqual(MustMap(f[4])), "want %s\ngot  %v", f[4], got)
		case Count:
			assert.True(t, got.IsEqual(MustCount(f[4])), "want %s\ngot  %v", f[4], got)
		case bool:
			assert.Equal(t, f[4] == "true", got)
		default:
			t.Errorf("a result of type %T", got)
		}
	})
}

// TestISLTableByISL asks isl about the same lines.
func TestISLTableByISL(t *testing.T) {
	judge(t, func(yield func(question)) {
		table(t, "isl", func(t *testing.T, f []string) {
			yield(question{f[0], f[1], f[2], f[3], f[4]})
		})
	}, func(q question, answer string) {
		assert.Equal(t, "ok", answer, "%v", q)
	})
}

// named returns the operation of a name.
func named(t *testing.T, name string) operation {
	at := slices.IndexFunc(operations, func(o operation) bool { return o.name == name })
	require.GreaterOrEqual(t, at, 0, "no operation %s", name)
	return operations[at]
}
