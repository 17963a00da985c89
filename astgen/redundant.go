package astgen

import (
	"slices"

	"github.com/hexcc/hexcc/poly"
)

// irredundant returns rows that hold together just where all of sh do, given
// the context and the loops around, none of them implied by the others. It
// returns nil if they never hold.
func (sh shadow) irredundant(context poly.Set, loops []Sum) shadow {
	out := make(shadow, 0, len(sh))
	for _, r := range sh {
		if r.IsNum() && r.Const < 0 {
			return nil
		}
		if !r.IsNum() && !(shadow{r}).covers(loops) {
			out = append(out, r)
		}
	}
	return slices.Clip(out)
}
