package schedule

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
)

// The limits of sizes. A tile is written out step by step, so that its height
// must stay small.
const (
	HeightLimit = 64      // of 2h+2
	WidthLimit  = 1 << 20 // of each w
)

// MaxH is the largest h that HeightLimit allows.
const MaxH = HeightLimit/2 - 1

// LegalH returns the legal heights h for k statements, smallest first: h+1 is a
// multiple of k, so that every tile starts with the first statement.
func LegalH(k int) (hs []int64) {
	for h := int64(k) - 1; h <= MaxH; h += int64(k) {
		hs = append(hs, h)
	}
	return hs
}

// MinW0 returns the least legal w0 at height h: (1).
func MinW0(cone Cone, h int64) int64 {
	return minW0(mustSlope(cone.Hi[0]), mustSlope(cone.Lo[0]), h)
}

// mustSlope is slopeOf for a cone that CheckSizes took.
func mustSlope(r *big.Rat) slope {
	s, ok := slopeOf(r)
	if !ok {
		panic(fmt.Sprintf("schedule: slope %v passes %d", r, slopeLimit))
	}
	return s
}

// CheckSizes returns nil where sizes make a hybrid tiling, and otherwise a
// diag.List that names the nearest sizes that do.
func CheckSizes(c *Canonical, cone Cone, sizes Sizes) error {
	return checkSizes(c, cone, sizes, MinW0)
}

// CheckTilable returns an error, a diag.List, if no sizes fit the nests and slopes.
func CheckTilable(c *Canonical, cone Cone) error {
	var list diag.List
	report := func(code diag.Code, help, format string, args ...any) {
		list = append(list, &diag.Diagnostic{Code: code, Msg: fmt.Sprintf(format, args...), Help: help})
	}
	for i := range cone.Lo {
		for _, r := range []*big.Rat{cone.Lo[i], cone.Hi[i]} {
			if r == nil {
				continue
			}
			if _, ok := slopeOf(r); !ok {
				report("HX202", "", "a dependence in dimension %s reaches %s elements in one time step: at most %d are supported",
					c.Space[i], r.RatString(), slopeLimit)
			}
		}
	}
	if len(list) > 0 {
		return list
	}
	return CheckNests(c.K)
}

// CheckNests returns an error, a diag.List, if a tile cannot hold k loop nests.
func CheckNests(k int) error {
	if k <= MaxH+1 {
		return nil
	}
	return diag.List{{Code: "HX205", Help: "split the time loop, or join nests",
		Msg: fmt.Sprintf("an iteration of the time loop takes %d steps, as nests use each other's results: at most %d fit in a tile of %d steps", k, MaxH+1, HeightLimit)}}
}

// checkSizes is CheckSizes with another lower bound of w0.
func checkSizes(c *Canonical, cone Cone, sizes Sizes, minW0 func(Cone, int64) int64) error {
	var list diag.List
	report := func(code diag.Code, help, format string, args ...any) {
		list = append(list, &diag.Diagnostic{Code: code, Msg: fmt.Sprintf(format, args...), Help: help})
	}
	if err := CheckTilable(c, cone); err != nil {
		return err
	}
	if !legalH(c.K, sizes.H) {
		report("HX203", "choose "+nearestH(c.K, sizes.H), "h=%d: %s", sizes.H, whyNotH(c.K, sizes.H))
	}
	if len(sizes.W) != len(c.Space) {
		report("HX204", "give "+sizeNames(len(c.Space)), "%d tile widths for %d space dimensions", len(sizes.W), len(c.Space))
		return list
	}
	least := minW0(cone, max(0, min(MaxH, sizes.H)))
	for i, w := range sizes.W {
		low := int64(1)
		if i == 0 {
			low = least
		}
		if w < low || w > WidthLimit {
			report("HX204", fmt.Sprintf("choose w%d=%d", i, max(low, min(w, WidthLimit))), "w%d=%d: %s", i, w, whyNotW(cone, i, low, w))
		}
	}
	if len(list) > 0 {
		return list
	}
	return nil
}

func legalH(k int, h int64) bool { return h >= 0 && h <= MaxH && (h+1)%int64(k) == 0 }

func whyNotH(k int, h int64) string {
	switch {
	case h == NoHeight:
		return "a tile in time has a height"
	case h < 0:
		return "the height is at least 0"
	case h > MaxH:
		return fmt.Sprintf("a tile has 2h+2 = %d time steps, and the limit is %d", 2*h+2, HeightLimit)
	}
	return fmt.Sprintf("h+1 must be a multiple of the %d steps of an iteration of the time loop, so that every tile starts with the first", k)
}

// nearestH names the legal heights next to h.
func nearestH(k int, h int64) string {
	var below, above string
	for _, x := range LegalH(k) {
		if x < h {
			below = fmt.Sprint("h=", x)
		} else if above == "" {
			above = fmt.Sprint("h=", x)
		}
	}
	if below != "" && above != "" {
		return below + " or " + above
	}
	return below + above
}

func whyNotW(cone Cone, i int, low, w int64) string {
	switch {
	case w > WidthLimit:
		return fmt.Sprintf("the limit is %d", WidthLimit)
	case i == 0 && cone.Hi[0] != nil:
		return fmt.Sprintf("with the slopes %s and %s of the dependences, w0 is at least %d at this height",
			cone.Hi[0].RatString(), cone.Lo[0].RatString(), low)
	}
	return fmt.Sprintf("w%d is at least %d", i, low)
}

// sizeNames returns w0, w1, .. for n dimensions.
func sizeNames(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint("w", i)
	}
	return strings.Join(names, ", ")
}

// String returns the sizes by name, as in h=2,w0=3,w1=32, or w0=3,w1=32 where there is no height.
func (s Sizes) String() string {
	var parts []string
	if s.H != NoHeight {
		parts = append(parts, fmt.Sprint("h=", s.H))
	}
	for i, w := range s.W {
		parts = append(parts, fmt.Sprintf("w%d=%d", i, w))
	}
	if s.Stream != nil {
		parts = append(parts, fmt.Sprint("stream=", *s.Stream))
	}
	return strings.Join(parts, ",")
}

// Verify checks that there is a width for at least one dimension and none is negative.
func (s Sizes) Verify() error {
	if s.H < NoHeight || len(s.W) == 0 || slices.Min(s.W) < 0 {
		return fmt.Errorf("sizes %v", s)
	}
	return nil
}
