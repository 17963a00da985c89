package mpi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
)

// made are translations, by what they are of: mutants change what is printed of the same one.
var made = map[string]*hexcc.Result{}

// translated returns a translation for ranks, made once for all tests.
func translated(t *testing.T, name, source string, o hexcc.Options) *hexcc.Result {
	t.Helper()
	o.Target = hexcc.MPI
	key := fmt.Sprintf("%s %s %v %s", name, o.Base, o.Tile, source)
	if made[key] == nil {
		res, err := hexcc.Compile(hexcc.Source{Name: name, Text: []byte(source)}, o)
		require.NoError(t, err, "%s", source)
		made[key] = res
	}
	return made[key]
}
