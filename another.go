package hexcc

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/schedule"
)

// This file takes other tile sizes where those chosen pass a bound on exact
// computations: what is hard to prove of one tile may be easy to prove of the next.

// maxTries is how many sizes are tried. Each may take as long as the bounds of poly allow.
const maxTries = 4

// A try is sizes that were given up, and why.
type try struct {
	strategy Strategy
	sizes    schedule.Sizes
	why      string
}

// only returns the diagnostic that err is, if it is one alone and has one of these codes; else nil.
func only(err error, codes ...diag.Code) *diag.Diagnostic {
	var list diag.List
	if !errors.As(err, &list) || len(list) != 1 || !slices.Contains(codes, list[0].Code) {
		return nil
	}
	return list[0]
}

// another takes the next sizes of the model's list, if err says that a pass gave up on the present
// ones and they were ours to choose; at the end of the list boxes of space or plain loops, if the strategy was
// ours to choose too. It says so, or adds to err what was tried, and reports whether there are sizes to go on with.
func (u *unit) another(err error) bool {
	if u.backToTiles(err) || u.apart(err) || u.inTurn(err) {
		return true
	}
	gaveUp := only(err, "HX402")
	if gaveUp == nil || u.opts.Tile != nil || u.Plan.File != "" {
		return false
	}
	if u.tried = append(u.tried, try{u.Strategy, u.Sizes, gaveUp.Msg}); len(u.tried) > 1 {
		u.remarks = slices.DeleteFunc(u.remarks, func(d *diag.Diagnostic) bool { return d.Code == "HX212" }) // about the sizes before
	}
	if !u.next() {
		if len(u.tried) > 1 {
			gaveUp.Notes = append(gaveUp.Notes, diag.Note{Msg: "tried before: " + u.triedText(len(u.tried)-1)})
		}
		return false
	}
	remark := &diag.Diagnostic{
		Severity: diag.Remark, Code: "HX212", At: u.Scop.Start(),
		Msg:   fmt.Sprintf("the tile is %v, since what the model prefers is too hard to prove", u.Sizes),
		Notes: []diag.Note{{Msg: "tried before: " + u.triedText(len(u.tried))}},
		Help:  "simplify bounds and subscripts, or fix parameters to numbers with -D; hexcc -v says what sizes cost",
	}
	if u.Strategy == Untiled {
		remark.Msg = fmt.Sprintf("nothing is tiled, in blocks of %v, since tiles of space and time are too hard to prove", u.Sizes)
	}
	if u.Strategy == Space {
		remark.Msg = fmt.Sprintf("only space is tiled, by %v, since tiles of space and time are too hard to prove", u.Sizes)
	}
	u.remarks = append(u.remarks, remark)
	return true
}

// next sets the sizes to try next; ok is false if there are none.
func (u *unit) next() (ok bool) {
	if u.Strategy != Hybrid {
		return false
	}
	if others := u.others(); len(others) > 0 && len(u.tried) < maxTries {
		u.Sizes = others[0]
		if u.Choice != nil {
			u.Choice = u.Choice.Without()
		}
		return true
	}
	if !u.auto && u.opts.Fallback != Space || u.Outlook == nil || u.Outlook.Space == nil {
		return false
	}
	u.Strategy, u.Choice, u.Sizes = Space, nil, u.Outlook.Space.Sizes
	if other := u.Outlook.Other(); u.auto && other == u.Outlook.Untiled {
		u.Strategy, u.Sizes = Untiled, other.Sizes
	}
	return true
}

// others returns the sizes that the model likes next, best first.
func (u *unit) others() (all []schedule.Sizes) {
	if u.opts.Target.isCPU() {
		for _, x := range u.weighed[min(len(u.tried), len(u.weighed)):] {
			all = append(all, x.Sizes)
		}
		return all
	}
	for _, x := range u.Choice.Best[1:] {
		if !slices.ContainsFunc(u.tried, func(y try) bool { return slices.Equal(x.Sizes.W, y.sizes.W) && x.Sizes.H == y.sizes.H }) {
			all = append(all, x.Sizes)
		}
	}
	return all
}

// triedText says of the first n sizes tried why they were given up.
func (u *unit) triedText(n int) string {
	var text strings.Builder
	for i, x := range u.tried[:n] {
		fmt.Fprint(&text, x.sizes)
		switch {
		case i+1 == n:
			fmt.Fprintf(&text, ": %s", x.why)
		case u.tried[i+1].why != x.why:
			fmt.Fprintf(&text, ": %s; ", x.why)
		default:
			text.WriteString(" and ")
		}
	}
	return text.String()
}
