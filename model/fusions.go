package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// ChooseFusions returns the best few partitions of the statements of an iteration into launches on a grid of typical sizes, with tiles of usual widths. deps are the
// dependences of the program of c, and g is its graph. The error says that what a statement reads is at no fixed distance, that no partition can be, or
// what is wrong with the typical sizes.
func ChooseFusions(c *schedule.Canonical, deps []schedule.Dependence, g *schedule.Graph, levels machine.Levels, typical Typical) (*Fusions, error) {
	grid, err := NewGrid(c, typical)
	if err != nil {
		return nil, err
	}
	al, err := newAlgebra(c, deps, g, false)
	if err != nil {
		return nil, err
	}
	extents := make([]int64, len(grid.Space))
	for p, r := range grid.Space {
		extents[p] = max(1, r.Hi-r.Lo+1)
	}
	k := &coster{al, levels, extents, map[set]*counted{}}
	return k.choose(k.promising(usualWidths(extents)))
}

// usualWidths returns those to try for a grid: along the last dimension rows of whole vectors and warps, and whole rows.
func usualWidths(grid []int64) [][]int64 {
	last := len(grid) - 1
	if last == 0 {
		return product([][]int64{{128, 256, 512, 1024, 4096, 16384}})
	}
	lists := slices.Repeat([][]int64{{4, 8, 16, 32}}, len(grid))
	if last > 1 {
		lists = slices.Repeat([][]int64{{1, 4, 8, 16}}, len(grid))
	}
	lists[last] = []int64{32, 64, 128, min(grid[last], 4096)}
	return product(lists)
}

// promisingWidths is how many widths are tried with all partitions.
const promisingWidths = 4

// promising returns the widths with which partitions of statements that follow each other in the source take the least time.
func (k *coster) promising(widths [][]int64) [][]int64 {
	type tried struct {
		w       []int64
		seconds float64
	}
	var all []tried
	ideals := k.al.prefixes()
	steps := stepsOf(ideals)
	for _, w := range widths {
		if best := k.best(ideals, steps, w); len(best) > 0 {
			all = append(all, tried{w, k.fusion(best[0], w).Seconds})
		}
	}
	if len(all) == 0 {
		return widths
	}
	slices.SortStableFunc(all, func(x, y tried) int { return cmp.Compare(x.seconds, y.seconds) })
	var few [][]int64
	for _, x := range all[:min(promisingWidths, len(all))] {
		few = append(few, x.w)
	}
	return few
}

// Text returns what f takes, as in
//
//	[lap,fli,flj,out] in tiles of 16 x 64: 0.51 ms an iteration, bound by memory, which moves 101.7 MB; 1.09 points for each
func (f *Fusion) Text(c *schedule.Canonical) string {
	return fmt.Sprintf("%s in tiles of %s: %.3g ms an iteration, bound by %s; memory moves %.4g MB, and %.3g points run for each",
		f.Groups.Text(c.Scop), widthsText(f.Widths), 1e3*f.Seconds, f.Bound(), f.Bytes()/1e6, points(f)/float64(len(c.Scop.Stmts)))
}

// Lost returns why other, which is not the best, lost against f.
func (f *Fusion) Lost(other *Fusion) string {
	if why := other.Why(); why != "" {
		return "cannot be: " + why
	}
	var whys []string
	if more := other.Bytes() / f.Bytes(); more > 1.01 {
		whys = append(whys, fmt.Sprintf("memory moves %.2f times as much", more))
	}
	if more := points(other) / points(f); more > 1.01 {
		whys = append(whys, fmt.Sprintf("%.2f times as many points run", more))
	}
	if more := len(other.Groups) - len(f.Groups); more > 0 {
		whys = append(whys, fmt.Sprintf("launches are %d more", more))
	}
	if whys == nil {
		whys = []string{"bound by " + other.Bound()}
	}
	return fmt.Sprintf("takes %.2f times as long: ", other.Seconds/f.Seconds) + strings.Join(whys, ", ")
}

// points returns those that run in an iteration, for each statement as if it had one.
func points(f *Fusion) (n float64) {
	for _, p := range f.Parts {
		n += p.Again * float64(len(p.Work.Stmts))
	}
	return n
}

func widthsText(w []int64) string {
	var all []string
	for _, x := range w {
		all = append(all, fmt.Sprint(x))
	}
	return strings.Join(all, " x ")
}
