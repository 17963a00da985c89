package gpu

import (
	"fmt"
	"strings"
)

// A Strategy says how full tiles use shared memory: the variants (a) to (f) of
// the paper, each with all of the one before it. Partial tiles copy in, compute
// and copy out under all but Global.
type Strategy uint8

// The strategies, the best first.
const (
	Static      Strategy = iota // (f) what is left of the tile before stays where it is: columns lie in the buffer modulo its width
	Moved                       // (e) what is left of the tile before is moved to where the next tile expects it
	Aligned                     // (d) rows are loaded in pieces that start at multiples of 128 bytes
	Interleaved                 // (c) results are stored to global memory as they are computed
	Staged                      // (b) copy in, compute, copy out
	Global                      // (a) no shared memory
)

var strategies = [...]string{Static: "static", Moved: "moved", Aligned: "aligned", Interleaved: "interleaved", Staged: "staged", Global: "global"}

// String returns the name of s.
func (s Strategy) String() string { return strategies[s] }

// Letter returns the letter of s in the paper.
func (s Strategy) Letter() string { return string(rune('a' + Global - s)) }

// Strategies returns all strategies, from Global to Static.
func Strategies() []Strategy { return []Strategy{Global, Staged, Interleaved, Aligned, Moved, Static} }

// LookupStrategy returns the strategy of that name.
func LookupStrategy(name string) (Strategy, error) {
	var names []string
	for _, s := range Strategies() {
		if s.String() == name {
			return s, nil
		}
		names = append(names, s.String())
	}
	return 0, fmt.Errorf("%q is no use of shared memory: there are %s", name, strings.Join(names, ", "))
}
