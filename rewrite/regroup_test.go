package rewrite_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/rewrite"
)

func TestShow(t *testing.T) {
	for _, x := range cases.All(t) {
		name := x.Name
		p := program(t, x.Text)
		r := rewrite.Reassociate(p, false, "")
		if r == nil {
			fmt.Println(name, "nothing")
			continue
		}
		proof := rewrite.ProveSums(p, r.Program)
		text, err := ctext.Region(r.Program)
		require.NoError(t, err)
		fmt.Println(name, r, proof.Holds, proof.Tests, proof.Violation)
		if !testing.Short() {
			fmt.Println(text)
		}
	}
}
