package main

import (
	"fmt"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
)

// A way is a way to run a program: its name in records, and what it asks of hexcc.
type way struct {
	name    string
	options hexcc.Options
}

// ways are those that are tried. The first gives the results that those of others are compared with. What is chosen anyhow comes first
// of those with the same kernels: the others then refer to it.
func ways() []way {
	all := []way{
		{"untiled", hexcc.Options{Strategy: hexcc.Untiled}},
		{"hybrid", hexcc.Options{Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles}},
		{"streaming", hexcc.Options{Kernel: hexcc.Streaming}},
		{"overlapped", hexcc.Options{Strategy: hexcc.Overlapped}},
		{"space", hexcc.Options{Strategy: hexcc.Space}},
		{"auto", hexcc.Options{}},
		{"hybrid phases", hexcc.Options{Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles, Launch: hexcc.Phases}},
		{"hybrid ready", hexcc.Options{Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles, Launch: hexcc.Ready}},
		{"overlapped s0", hexcc.Options{Strategy: hexcc.Overlapped, Stream: "s0"}},
		{"overlapped step by step", hexcc.Options{Strategy: hexcc.Overlapped, Stream: hexcc.StepByStep}},
		{"wavefront", hexcc.Options{Strategy: hexcc.Wavefront}},
	}
	for _, s := range lower.Strategies() {
		all = append(all, way{fmt.Sprintf("memory %s (%s)", s.Letter(), s), hexcc.Options{Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles, Memory: s}})
	}
	return all
}

// moreShapes is how many pipelines are measured beside the one that is chosen.
const moreShapes = 2

// moreStreams returns ways with the shapes of pipelines that come after the one that was chosen, as far as they fit.
func moreStreams(res *hexcc.Result, d machine.Device) (all []way) {
	chosen := res.Streams.Fit().Shape
	for _, s := range stream.ShapesFor(res.Space, true) {
		if len(all) == moreShapes {
			break
		}
		if s == chosen || stream.Try(res.Space, res.Cone, d, s).Why != "" {
			continue
		}
		all = append(all, way{"streaming " + s.String(), hexcc.Options{Kernel: hexcc.Streaming, Pipeline: &s}})
	}
	return all
}

// taken reports whether a translation runs as the way asks, and not as another one that took its place.
func (w way) taken(res *hexcc.Result) bool {
	switch {
	case w.options.Kernel == hexcc.Streaming:
		return res.Streams != nil
	case w.options.Strategy != "":
		return res.Strategy == w.options.Strategy && res.Streams == nil
	}
	return true
}

// expected returns what the model expects of a translation, in instances of statements a second; 0: it does not say.
func expected(res *hexcc.Result) float64 {
	var perPoint float64
	switch {
	case res.Streams != nil:
		perPoint = res.Streams.Best().PerPoint
	case res.Choice != nil && res.Strategy == hexcc.Hybrid:
		perPoint = res.Choice.Best[0].Cost.PerPoint
	case res.Outlook != nil:
		e := res.Outlook.Of(string(res.Strategy))
		if e != nil && e.Other != nil && (e.Sizes.Stream == nil) != (res.Sizes.Stream == nil) {
			e = e.Other
		}
		if e != nil {
			perPoint = e.PerPoint
		}
	}
	if perPoint == 0 {
		return 0
	}
	return 1 / perPoint
}

// tileOf returns what was chosen for a translation, as the flags have it.
func tileOf(res *hexcc.Result) string {
	text := ""
	switch {
	case res.Streams != nil:
		return res.Streams.Fit().Shape.String()
	case res.Strategy == hexcc.Untiled && res.Outlook != nil && res.Outlook.Untiled != nil:
		return res.Outlook.Untiled.Sizes.String()
	case res.Sizes.W != nil:
		text = res.Sizes.String()
	}
	if res.Choice != nil && res.Strategy == hexcc.Hybrid {
		launch := hexcc.Phases
		if res.Choice.Ready {
			launch = hexcc.Ready
		}
		text += " " + string(launch)
	}
	return text
}

// A moved is what the update of a cell, which is one of all statements, moves and computes in a full tile. 0: not known.
type moved struct{ Global, Shared, Operations float64 }

func movedOf(res *hexcc.Result) moved {
	var points, global, shared, operations int64
	switch {
	case res.Streams != nil:
		turn := res.Streams.Fit().Turn
		points, global, shared, operations = turn.Updates, turn.Bytes, turn.SharedBytes, turn.Operations
	case res.Choice != nil && res.Strategy == hexcc.Hybrid:
		n := res.Choice.Best[0].Counts
		points, global, shared, operations = n.Points, n.Bytes, n.SharedMoved, n.Operations
	}
	if points == 0 {
		return moved{}
	}
	x := float64(points)
	return moved{float64(global) / x, float64(shared) / x, float64(operations) / x}
}

// sizesOf returns the values of the parameters of a region on a grid, and which of them bound its time loop.
func sizesOf(res *hexcc.Result, typical model.Typical) (g model.Grid, times []bool, err error) {
	if g, err = model.NewGrid(res.Space, typical); err != nil {
		return g, nil, err
	}
	space, err := model.Scaled(res.Space, 1)
	if err != nil {
		return g, nil, err
	}
	for _, v := range g.Values {
		_, ok := space[v.Name]
		times = append(times, !ok && v.From != "known")
	}
	return g, times, nil
}
