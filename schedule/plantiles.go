package schedule

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
)

// This file makes parallelograms and tiles that overlap of what a schedule file says, and writes such files.

// FindsPlaces reports whether the places of instances are found from the program even where space loops carry dependences: there is no file, or one
// of a scheme that takes such loops, without place lines.
func (p Plan) FindsPlaces() bool {
	return p.File == "" || p.Layout.Places == nil && (p.Strategy == waves || p.Strategy == overlaps)
}

// Wavefront is the function Wavefront, for a schedule that a file may have fixed.
func (p Plan) Wavefront(c *Canonical, cone Cone, sizes Sizes) (*Schedule, error) {
	s, why, err := wavefront(c, cone, sizes)
	if err != nil {
		return nil, p.locate(err, "tile")
	}
	if why != "" {
		panic(fmt.Sprintf("schedule: no waits of parallelograms in the cone %v: %s", cone, why)) // whether it holds the dependences or not
	}
	s.Loaded = p.File != ""
	return s, nil
}

// TileFronts is the function TileFronts, for a schedule that a file may have fixed.
func (p Plan) TileFronts(c *Canonical, cone Cone, deps []Dependence, sizes Sizes) (*Schedule, error) {
	if p.File == "" {
		return TileFronts(c, cone, deps, sizes)
	}
	s, err := FrontTiles(c, cone, sizes)
	if err != nil {
		return nil, p.locate(err, "tile")
	}
	if s.Fronts = p.Fronts; s.Fronts == nil {
		if s.Fronts, err = leastFronts(s, deps); err != nil {
			return nil, err
		}
	}
	s.Dims = s.dims()
	s.Relate()
	s.Loaded = true
	return s, nil
}

// Overlapped returns the tiles of o of those sizes, with their Map, in boxes as the plan says.
func (p Plan) Overlapped(o *Overlap, sizes Sizes) (*Schedule, error) {
	s, err := o.Planned(p).Schedule(sizes)
	if err != nil {
		return nil, p.locate(err, "tile")
	}
	s.Loaded = p.File != ""
	return s, nil
}

// WrongSizes is the error of a tile line that does not fit what else the file says.
func (p Plan) WrongSizes(why, help string) error {
	return p.locate(diag.List{{Code: "HX207", Msg: why, Help: help}}, "tile")
}

// RefuseGroups returns err of Groups.Check about the groups of the file as a diag.List with their place; nil: there is none.
func (p Plan) RefuseGroups(err error) error {
	no := (*GroupsError)(nil)
	if !errors.As(err, &no) {
		return err
	}
	d := &diag.Diagnostic{Code: "HX207", Msg: "the groups are no launches in turn: " + no.Why, Help: "name each statement once, behind what it reads of the same iteration; or leave out all group lines, and the choice is the model's"}
	for _, line := range slices.Sorted(maps.Keys(p.at)) {
		if strings.HasPrefix(line, "group ") {
			d.At = p.at[line]
		}
	}
	if no.Dep != nil {
		d.Notes = []diag.Note{{At: no.Dep.SrcAccess.Pos, Msg: "what has to run before"}, {At: no.Dep.DstAccess.Pos, Msg: "what depends on it"}}
		d.At = p.at["group "+no.Dep.Dst.Name]
	}
	return diag.List{d}
}

// Planned returns what makes the tiles of o in boxes as p says.
func (o *Overlap) Planned(p Plan) *Overlap {
	in := *o
	in.plan = p
	return &in
}

// fit makes the boxes and delays of tiles of so many steps those of the plan. The error, a diag.List, names steps and statements of which it says nothing, though it does of others, and
// steps that there are not.
func (p Plan) fit(s *Schedule, o *Overlap) error {
	if len(p.Boxes) == 0 {
		return nil
	}
	var list diag.List
	missing := map[string][]string{}
	for i, ph := range s.Phases {
		for _, st := range s.Canonical.Scop.Stmts {
			for a := int64(s.Canonical.Levels[st.Order]); a < s.Height && slices.Contains(o.groups[i], st.Order); a += int64(s.Canonical.K) {
				b := p.box(st.Order, a)
				if b.Lo == nil {
					missing["box"] = append(missing["box"], fmt.Sprintf("%s %d", st.Name, a))
				} else {
					ph.Boxes[st.Order][a] = b.at(s.Sizes)
				}
				if b.Delay == nil {
					missing["delay"] = append(missing["delay"], fmt.Sprintf("%s %d", st.Name, a))
				} else if ph.Stream != nil {
					ph.Stream.Delays[st.Order][a] = *b.Delay
				}
			}
		}
		s.Phases[i] = ph.around(s.Canonical, s.Sizes, s.Height, o.groups[i])
	}
	for _, word := range []string{"box", "delay"} {
		for _, b := range p.Boxes {
			name := fmt.Sprintf("%s %d", b.Stmt.Name, b.Step)
			at, said := p.at[word+" "+name]
			level := int64(s.Canonical.Levels[b.Stmt.Order])
			switch {
			case !said:
			case b.Step >= s.Height || b.Step%int64(s.Canonical.K) != level:
				list = append(list, &diag.Diagnostic{Code: "HX207", At: at, Msg: fmt.Sprintf("%s runs at none of the %d steps of a tile that is step %d", b.Stmt.Name, s.Height, b.Step),
					Help: fmt.Sprintf("leave out all %s lines, and they are found for the sizes", word)})
			case len(missing[word]) > 0 && list == nil:
				list = append(list, &diag.Diagnostic{Code: "HX207", At: at, Msg: fmt.Sprintf("there is a %s line for %s, but none for %s", word, name, strings.Join(missing[word], ", ")),
					Help: fmt.Sprintf("give all of them, or leave out all %s lines: they are found for the sizes", word)})
			}
		}
	}
	if list != nil {
		return list
	}
	return nil
}

// box returns what the plan says of a statement at a step.
func (p Plan) box(stmt int, step int64) PlannedBox {
	for _, b := range p.Boxes {
		if b.Stmt.Order == stmt && b.Step == step {
			return b
		}
	}
	return PlannedBox{}
}

// at returns the box in tiles of those sizes.
func (b PlannedBox) at(sizes Sizes) (box Box) {
	env := map[string]int64{"h": sizes.H, "f0": 0, "f1": 0}
	for p, w := range sizes.W {
		env[fmt.Sprint("w", p)] = w
	}
	for p := range b.Lo {
		box.Lo, box.Hi = append(box.Lo, affine.Eval(b.Lo[p], env)), append(box.Hi, affine.Eval(b.Hi[p], env))
	}
	return box
}

// suspectBoxes returns the lines of the file whose boxes and delays differ from what is found.
func (p Plan) suspectBoxes(s *Schedule, deps []Dependence) (notes []diag.Note) {
	groups := p.Groups
	if groups == nil {
		groups = OneGroup(len(s.Canonical.Scop.Stmts))
	}
	found, err := NewOverlap(s.Canonical, deps).In(groups).Tiles(s.Sizes)
	if err != nil {
		return nil
	}
	for _, b := range p.Boxes {
		ph := found.Phases[max(0, groups.Of(b.Stmt.Order))]
		usual := ph.Boxes[b.Stmt.Order][b.Step]
		name := fmt.Sprintf("%s %d", b.Stmt.Name, b.Step)
		if at, said := p.at["box "+name]; said {
			if given := b.at(s.Sizes); !slices.Equal(given.Lo, usual.Lo) || !slices.Equal(given.Hi, usual.Hi) {
				notes = append(notes, diag.Note{At: at, Msg: "the box usually is " + boxText(s, usual)})
			}
		}
		if at, said := p.at["delay "+name]; said && ph.Stream != nil && *b.Delay != ph.Stream.Delays[b.Stmt.Order][b.Step] {
			notes = append(notes, diag.Note{At: at, Msg: fmt.Sprintf("the delay usually is %d", ph.Stream.Delays[b.Stmt.Order][b.Step])})
		}
	}
	return notes
}

// slanted reports whether the tiles of s are parallelograms alone.
func (s *Schedule) slanted() bool { return s.Scheme == parallelogramScheme }

// tilesText returns the lines of a file about s, whose tiles are parallelograms or overlap, from the strategy on.
func tilesText(s *Schedule) string {
	var b strings.Builder
	c := s.Canonical
	if s.slanted() {
		fmt.Fprintf(&b, "# Time and space are tiled by parallelograms.\nstrategy %s\n\n# Half height of a tile, widths.\n", waves)
	} else {
		fmt.Fprintf(&b, "# Boxes of space overlap: they compute what they need of their neighbours' points, too.\nstrategy %s\n\n# Iterations of the time loop in a tile, points that it owns", overlaps)
		if s.Sizes.Stream != nil {
			fmt.Fprintf(&b, ", the dimension along which it runs plane by plane")
		}
		fmt.Fprintf(&b, ".\n")
	}
	fmt.Fprintf(&b, "tile %s\n\n", strings.ReplaceAll(s.Sizes.String(), ",", ", "))
	if c.Ordered || c.Ways != nil {
		if loops := c.loops(); c.Ordered && len(loops) == len(c.Space) {
			fmt.Fprintf(&b, "# The loops along s0, s1, ..\norder %s\n", strings.Join(loops, ", "))
		}
		fmt.Fprintf(&b, "# Where instances lie is found anew: points of a step are in order.\n")
		for line := range strings.Lines(c.placesText()) {
			if place, found := strings.CutPrefix(line, "place "); found {
				fmt.Fprintf(&b, "#   %s", place)
			}
		}
	} else {
		b.WriteString(c.placesText())
	}
	if s.slanted() {
		b.WriteString(s.slopesText())
		if f := s.Fronts; f != nil {
			fmt.Fprintf(&b, "\n# What runs in turn: tiles by this number times T plus S0, S1, ..; points of a tile by that number times their time plus s0, s1, ..\nfront %d %d\n", f.Tiles, f.Points)
		}
		return b.String()
	}
	b.WriteString(s.boxesText())
	return b.String()
}

// boxesText returns the lines of groups, boxes and delays.
func (s *Schedule) boxesText() string {
	var b strings.Builder
	c := s.Canonical
	if groups := s.Groups(); groups != nil {
		fmt.Fprintf(&b, "\n# The launches of an iteration, in turn.\n")
		for _, group := range groups {
			var names []string
			for _, i := range group {
				names = append(names, c.Scop.Stmts[i].Name)
			}
			fmt.Fprintf(&b, "group %s\n", strings.Join(names, ", "))
		}
	}
	height := s.Sizes.H * int64(c.K) // of versions, the other half is the same
	each := func(line func(ph Phase, order int, a int64) string) {
		for _, st := range c.Scop.Stmts {
			for a := int64(c.Levels[st.Order]); a < height; a += int64(c.K) {
				for _, ph := range s.Phases {
					if box := ph.Boxes[st.Order][a]; box.Lo[0] <= box.Hi[0] {
						fmt.Fprintf(&b, "%s\n", line(ph, st.Order, a))
						break
					}
				}
			}
		}
	}
	fmt.Fprintf(&b, "\n# What a tile computes of each statement at its steps, from the first point that it owns on.\n")
	each(func(ph Phase, order int, a int64) string {
		return fmt.Sprintf("box %s %d: %s", c.Scop.Stmts[order].Name, a, boxText(s, ph.Boxes[order][a]))
	})
	if s.Stream() != nil {
		fmt.Fprintf(&b, "\n# How many planes behind its place each runs.\n")
		each(func(ph Phase, order int, a int64) string {
			return fmt.Sprintf("delay %s %d: %d", c.Scop.Stmts[order].Name, a, ph.Stream.Delays[order][a])
		})
	}
	return b.String()
}

// boxText returns s0 = -1..w0, s1 = -1..w1.
func boxText(s *Schedule, box Box) string {
	var parts []string
	for p, name := range s.Canonical.Space {
		hi := affine.Var(fmt.Sprint("w", p)).Add(box.Hi[p] - s.Sizes.W[p])
		parts = append(parts, fmt.Sprintf("%s = %d..%v", name, box.Lo[p], hi))
	}
	return strings.Join(parts, ", ")
}
