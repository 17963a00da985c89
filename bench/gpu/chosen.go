package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/model"
)

// This file says what --strategy=auto takes now of what was measured before: a choice needs no GPU.

// A chosen is what is taken now of a group.
type chosen struct {
	*group
	way         string
	taken, best *measurement
	same        bool // taken has the sizes that are chosen
}

// off returns what a run takes that is chosen, where the best takes 1.
func (c chosen) off() float64 { return c.best.Rate / c.taken.Rate }

// chainsSince is the day since which chains without tiles pass on how far others are. What was measured before of kernels whose tiles wait for each other is not what they take now.
const chainsSince = "2026-11-27"

// current leaves out of g what was measured of kernels that are not made any more.
func (r results) current(g *group) *group {
	x := *g
	x.all = slices.DeleteFunc(slices.Clone(g.all), func(m *measurement) bool {
		return r.Date < chainsSince && (strings.HasPrefix(m.Way, "streaming") || strings.HasSuffix(m.Tile, " ready"))
	})
	return &x
}

// choices returns what is taken now of each group that is wanted and of which that was measured. arch is the architecture that it was measured on.
func (r results) choices(arch string, wanted func(*group) bool) (all []chosen, err error) {
	for _, p := range programs() {
		for _, g := range r.groups() {
			if g.program != p.name || g.kind != p.kind() || !wanted(g) {
				continue
			}
			g = r.current(g)
			text, err := p.text("f")
			if err != nil {
				return nil, err
			}
			typical, err := model.ParseTypical(g.grid)
			if err != nil {
				return nil, err
			}
			res, err := hexcc.Compile(hexcc.Source{Name: p.name + ".c", Text: text}, hexcc.Options{NoAlias: true, Arch: arch, Grid: typical, FMA: p.fma, Stop: "tile"})
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", p.key(), g.grid, err)
			}
			c := chosen{group: g, best: g.best(), way: string(res.Strategy)}
			if res.Streams != nil {
				c.way = "streaming"
			}
			c.taken, c.same = g.like(c.way, tileOf(res))
			if c.taken != nil {
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// like returns the measurement of a way with those sizes, or else with others; nil: there is none.
func (g *group) like(way, tile string) (m *measurement, same bool) {
	order := func(tile string) string { return tile[strings.LastIndexByte(tile, ' ')+1:] }
	for _, x := range g.all {
		name, rest, _ := strings.Cut(x.Way, " ")
		if name != way || rest == "s0" || x.Rate == 0 || !x.right() {
			continue
		}
		if x.Tile == tile {
			return x, true
		}
		if m == nil || order(x.Tile) == order(tile) && order(m.Tile) != order(tile) { // hexagons that wait are another way than those that do not
			m = x
		}
	}
	return m, false
}

// printChoices prints a table of them.
func printChoices(w io.Writer, all []chosen) {
	fmt.Fprint(w, "| program | type | grid | taken now | measured | the best | measured | off by |\n|---|---|---|---|--:|---|--:|--:|\n")
	for _, c := range all {
		mark := ""
		if !c.same {
			mark = "*"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s%s | %s | %s, %s | %s | %.2f |\n", c.program, c.kind, c.grid, c.way, mark, rate(c.taken.Rate), c.best.Way, c.best.Tile, rate(c.best.Rate), c.off())
	}
	var off []float64
	for _, c := range all {
		off = append(off, c.off())
	}
	good := 0
	for _, x := range off {
		if x <= 1.1 {
			good++
		}
	}
	fmt.Fprintf(w, "\nOf %d, %d are within 1.1 of the best that was measured; the geometric mean is %.2f, the worst %.2f.\n", len(off), good, mean(off), slices.Max(append(off, 1)))
}
