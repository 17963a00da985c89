package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/tune/stencil"
)

// This file says how far a choice is from the best way.

// A verdict is what a cell says of the choice.
type verdict struct {
	Entry
	took    string
	best    string  // by the replay, or as measured
	off     float64 // how long a run takes that is chosen, where the best one takes 1; 0: not known
	likely  string  // the best by the replay over what such kernels have taken on a GPU, where the replay has 1
	offThen float64 // likewise
	why     string  // there is no verdict
	// other are ways of which the model would choose other sizes now than those that were looked at.
	other []string
}

// close is how far from the best a choice may be to be good.
const close = 1.1

// judge returns what a cell of GPUs says of the choice that is made now.
func (c cell) judge(e Entry) (v verdict, err error) {
	v.Entry = e
	if e.Why != "" {
		v.why = e.Why
		return v, nil
	}
	grid, err := model.ParseTypical(e.Grid)
	if err != nil {
		return v, err
	}
	res, err := hexcc.Compile(hexcc.Source{Name: c.name + ".c", Text: c.text}, hexcc.Options{NoAlias: true, Arch: c.arch, Grid: grid, Stop: "tile"})
	if err != nil {
		return v, err
	}
	if v.took = string(res.Strategy); res.Streams != nil {
		v.took = "streaming"
	}
	if res.Outlook == nil {
		return v, errors.New("the model has not compared ways")
	}
	for _, w := range e.Ways {
		if x := res.Outlook.Of(w.Way); x != nil && x.Sizes.String() != w.Sizes && w.Way != "streaming" {
			v.other = append(v.other, w.Way)
		}
	}
	v.judge(res.Outlook)
	return v, nil
}

// judge compares ways. o says how much slower than their replay kernels of each are, nil: not.
func (v *verdict) judge(o *model.Outlook) {
	rate := func(w Way, likely bool) float64 {
		if w.Seconds > 0 {
			return 1 / w.Seconds
		}
		if likely && o != nil {
			e := o.Of(w.Way)
			if e == nil {
				e = &model.Expected{Ready: w.Ready}
			}
			return w.Replayed / o.Slower(w.Way, e)
		}
		return w.Replayed
	}
	compare := func(likely bool) (best string, off float64) {
		most, took := 0.0, 0.0
		for _, w := range v.Ways {
			x := rate(w, likely)
			if x > most && !w.reference() {
				best, most = w.Way, x
			}
			if w.Way == v.took {
				took = x
			}
		}
		if took == 0 {
			return best, 0
		}
		return best, most / took
	}
	v.best, v.off = compare(false)
	v.likely, v.offThen = compare(true)
	if v.off == 0 {
		v.why = v.took + " was not replayed"
		if i := slices.IndexFunc(v.Ways, func(w Way) bool { return w.Way == v.took }); i >= 0 && v.Ways[i].Why != "" {
			v.why += ": " + v.Ways[i].Why
		}
	}
}

// reference reports whether a way is the program as it is, or as people make it run in parallel.
func (w Way) reference() bool { return w.Way == stencil.Plain || w.Way == stencil.Parallel }

// A share is what many cells say.
type share struct {
	cells, good int
	logs, worst float64
	at          verdict // the worst
}

func (s *share) add(off float64, v verdict) {
	if off == 0 {
		return
	}
	s.cells++
	s.logs += math.Log(off)
	if off <= close {
		s.good++
	}
	if off > s.worst {
		s.worst, s.at = off, v
	}
}

// mean returns the geometric mean.
func (s share) mean() float64 { return math.Exp(s.logs / float64(max(1, s.cells))) }

// String returns it as cells of a table: how many, how many of them are close to the best, the mean, the worst.
func (s share) String() string {
	if s.cells == 0 {
		return "0 | - | - | -"
	}
	return fmt.Sprintf("%d | %d, %.0f %% | %.2f | %.2f (%s, %s)", s.cells, s.good, 100*float64(s.good)/float64(s.cells), s.mean(), s.worst, s.at.Program, s.at.Size)
}
