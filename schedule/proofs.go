package schedule

import (
	"fmt"
	"strings"
)

// Proofs are what was proved of a schedule, as a product.
type Proofs []Proof

func (ps Proofs) String() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = fmt.Sprintf("%s: proved for all parameter values, %s", p.Name, p.Effort())
		switch {
		case p.Undecided != "":
			lines[i] = fmt.Sprintf("%s: undecided: %s", p.Name, p.Undecided)
		case !p.Holds:
			lines[i] = fmt.Sprintf("%s: does not hold: %s", p.Name, p.Violation)
		}
	}
	return strings.Join(lines, "\n")
}

// Verify checks that nothing holds without a test, but for the legality of a
// region that has no dependences, which is known, full tiles where there are none, and copies.
func (ps Proofs) Verify() error {
	for _, p := range ps {
		if p.Holds && p.Tests == 0 && p.Name != "legality" && p.Name != "full tiles" && p.Name != "staging" && p.Name != "regions" {
			return fmt.Errorf("%s holds without a test", p.Name)
		}
	}
	return nil
}
