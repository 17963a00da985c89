package hexcc

import (
	"errors"
	"fmt"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// A Strategy is a tiling scheme, by the name that --strategy has for it.
type Strategy string

// The strategies.
const (
	Hybrid Strategy = "hybrid" // hexagons in time and one dimension of space, classical tiles in the others
	Space  Strategy = "space"  // boxes of space; each nest of each time step is a launch
)

// decide sets the strategy: what the caller asks for, but for regions without a
// time loop, which have nothing but space.
func (u *unit) decide() {
	u.Strategy = u.opts.Strategy
	if u.Plan.Strategy != "" {
		u.Strategy = Strategy(u.Plan.Strategy)
	}
	if u.Strategy == "" {
		u.Strategy = Hybrid
	}
	if u.Scop.Timeless {
		u.Strategy = Space
	}
}

// reasons are what a fallback is for: the region can be translated, but not by hexagons.
var reasons = map[diag.Code]bool{
	"HX202": true, // distances that no slope bounds
	"HX205": true, // more nests than steps
	"HX401": true, // no tile fits
}

// fallBack turns to tiling space alone, and says so, if err is a reason and the caller
// wants that; otherwise it returns err. Sizes that the caller gave are for the scheme asked for.
func (u *unit) fallBack(err error) error {
	var list diag.List
	if !errors.As(err, &list) || u.opts.Fallback != Space || u.opts.Tile != nil || u.Plan.File != "" {
		return err
	}
	for _, d := range list {
		if !reasons[d.Code] {
			return err
		}
	}
	u.Strategy = Space
	why := list[0]
	remark := &diag.Diagnostic{Severity: diag.Remark, Code: "HX209", At: why.At,
		Msg: fmt.Sprintf("only space is tiled, since hexagons do not apply: %s [%s]", why.Msg, why.Code)}
	if remark.At == (diag.Span{}) {
		remark.At = u.Scop.Start()
	}
	u.remarks = append(u.remarks, remark)
	return nil
}

// sizeSpace chooses or checks the widths of boxes.
func (u *unit) sizeSpace() (Product, error) {
	switch {
	case u.Plan.Sizes != nil:
		u.Sizes = *u.Plan.Sizes
	case u.opts.Tile != nil:
		u.Sizes = *u.opts.Tile
	default:
		sizes, err := model.SpaceSizes(u.Space, u.device(), u.left())
		u.Sizes = sizes
		return u.Sizes, err
	}
	if u.Sizes.H != schedule.NoHeight && !u.Scop.Timeless { // which a file may have beside others
		return nil, diag.List{{Code: "HX203", Msg: fmt.Sprintf("tile sizes %v: tiles of space only have no height", u.Sizes), Help: "leave h out"}}
	}
	u.Sizes.H = schedule.NoHeight
	return u.Sizes, schedule.CheckWidths(u.Space, u.Sizes)
}
