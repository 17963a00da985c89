package hexcc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/model"
)

// This file reads what Options.Stream says: along which dimension of space tiles that overlap stream.

// StepByStep is what Options.Stream says of tiles that do not stream.
const StepByStep = "none"

// streams reports whether tiles are asked to overlap and to stream.
func (o *Options) streams() bool { return o.Stream != "" && o.Stream != StepByStep }

// planes returns the wish of the caller for the choice of boxes that overlap: the dimension along which they stream, model.NoStream, or nil, as the model finds better.
func (u *unit) planes() (*int, error) {
	switch name := u.opts.Stream; {
	case name == "":
		return nil, nil
	case name == StepByStep:
		return new(model.NoStream), nil
	case u.opts.Target.isCPU():
		return nil, u.notStreamed("tiles stream on GPUs only", "leave stream out")
	case u.Space.Ways != nil:
		return nil, u.notStreamed("tiles hold whole columns of nests that run up or down", "leave stream out")
	case len(u.Space.Space) < 2:
		return nil, u.notStreamed("one dimension of space has no planes", "leave stream out")
	default:
		if p, ok := u.dimension(name); ok {
			return &p, nil
		}
		names := slices.Concat(u.Space.Space, u.spaceLoops())
		return nil, u.notStreamed(fmt.Sprintf("'%s' is no dimension of space: there are %s", name, strings.Join(names, ", ")),
			fmt.Sprintf("choose stream(%s) or another of them, or leave stream out", names[0]))
	}
}

// dimension returns the dimension of space of that name, s0 or that of the loops that run along it: all loops of the name run along one.
func (u *unit) dimension(name string) (p int, ok bool) {
	p = slices.Index(u.Space.Space, name)
	for i, st := range u.Scop.Stmts {
		for q, at := range u.Space.Places[i] {
			if at.Iter < 0 || st.Iters[at.Iter] != name {
				continue
			}
			if p >= 0 && p != q {
				return -1, false
			}
			p = q
		}
	}
	return p, p >= 0
}

// spaceLoops returns the names of loops that each tell a dimension of space, by dimension.
func (u *unit) spaceLoops() (names []string) {
	for p := range u.Space.Space {
		for i, st := range u.Scop.Stmts {
			if at := u.Space.Places[i][p]; at.Iter >= 0 {
				name := st.Iters[at.Iter]
				if q, ok := u.dimension(name); ok && q == p && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// notStreamed says why tiles do not stream as the caller asks.
func (u *unit) notStreamed(why, help string) error {
	return diag.List{{Code: "HX218", At: u.Scop.Start(), Msg: fmt.Sprintf("stream(%s): %s", u.opts.Stream, why), Help: help}}
}

// streamSizes has the sizes that the caller gives stream as Options.Stream says.
func (u *unit) streamSizes() error {
	wish, err := u.planes()
	if err != nil || wish == nil {
		return err
	}
	if said := u.Sizes.Stream; said != nil && *said != *wish {
		return u.notStreamed(fmt.Sprintf("the sizes of tiles say stream=%d", *said), "say it once: leave stream out of --tile")
	}
	if *wish != model.NoStream {
		u.Sizes.Stream = wish
	}
	return nil
}
