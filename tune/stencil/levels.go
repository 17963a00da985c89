package stencil

import (
	"math"
	"os/exec"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/tune"
)

// This file says what is measured, in what order: first what others are compared with, then each strategy with the sizes that the model likes best, then more
// sizes of the strategies that are fast, then sizes next to the fastest, then what else the target has. Rawat et al. (ARTEMIS, IPDPS 2019, section V) tune so: what
// matters most first, the rest for a few that are fast.

// What goes on from level to level.
const (
	fewStrategies = 2   // the fastest ones,
	comparable    = 4   // times as long as the fastest at most
	near          = 1.5 // of sizes
	moreSizes     = 6   // of each of them
	fewSizes      = 2   // the fastest ones
	fewOthers     = 3
)

// Levels returns the levels of the search.
func (t *Tuner) Levels() []tune.Level {
	levels := []tune.Level{
		{Name: "the program as it is", Candidates: t.references},
		{Name: "strategies", Candidates: t.strategies},
		{Name: "sizes", Candidates: t.sizes},
		{Name: "sizes nearby", Candidates: t.nearby},
		{Name: "launches and the like", Candidates: t.rest},
	}
	return append(levels, t.fewerThreads(available())...)
}

// references returns the region as it is, in one thread and, where its loops over space may run in parallel, in all.
func (t *Tuner) references([]tune.Outcome) []tune.Candidate {
	expected := 0.0
	if t.Ways.Plain > 0 {
		expected = t.expected(t.Ways.Plain)
	}
	all := []tune.Candidate{{Name: Plain, Group: "original", Reference: true}}
	if t.Options.Target == hexcc.OpenMP && !t.Space.Ordered && t.Space.Sweeps == nil {
		all = append(all, tune.Candidate{Name: Parallel, Group: "original", Reference: true, Expected: expected})
	}
	return all
}

// strategies returns the model's choice, and the best sizes of each strategy.
func (t *Tuner) strategies([]tune.Outcome) []tune.Candidate {
	all := []tune.Candidate{t.candidate(t.First)}
	done := map[hexcc.Strategy]bool{t.First.Strategy: true}
	for _, w := range t.Ways.Ways {
		if !done[w.Strategy] {
			done[w.Strategy] = true
			all = append(all, t.candidate(w))
		}
	}
	return all
}

// fast returns the ways of the fastest outcomes, few at most, none of which takes more than so many times as long as the fastest.
func (t *Tuner) fast(done []tune.Outcome, few int, times float64) (all []hexcc.Way) {
	limit := math.Inf(1)
	for _, o := range tune.Ranked(done) {
		w, ours := t.way(o.Name)
		if !ours || math.IsInf(o.Best(), 1) || o.Best() > limit || len(all) == few {
			continue
		}
		if len(all) == 0 {
			limit = times * o.Best()
		}
		all = append(all, w)
	}
	return all
}

// sizes returns more sizes of the fastest strategies.
func (t *Tuner) sizes(done []tune.Outcome) (all []tune.Candidate) {
	taken := map[hexcc.Strategy]bool{}
	for _, fast := range t.fast(done, len(done), comparable) {
		if taken[fast.Strategy] || len(taken) == fewStrategies {
			continue
		}
		taken[fast.Strategy] = true
		n := 0
		for _, w := range t.Ways.Ways {
			if w.Strategy == fast.Strategy && w.Flags() != fast.Flags() && n < moreSizes {
				all = append(all, t.candidate(w))
				n++
			}
		}
	}
	return all
}

// nearby returns the sizes next to those of the fastest.
func (t *Tuner) nearby(done []tune.Outcome) (all []tune.Candidate) {
	for _, fast := range t.fast(done, fewSizes, near) {
		for _, w := range t.Near(fast) {
			all = append(all, t.candidate(w))
		}
	}
	return all
}

// rest returns the fastest with what else can be asked for: the other launch and, on GPUs, other uses of shared memory, bodies of loops, and rows that stream.
func (t *Tuner) rest(done []tune.Outcome) (all []tune.Candidate) {
	add := func(w hexcc.Way) {
		w.PerPoint, w.Bound = 0, ""
		all = append(all, t.candidate(w))
	}
	for _, fast := range t.fast(done, fewOthers, near) {
		if fast.Strategy != hexcc.Hybrid || fast.Kernel == hexcc.Streaming {
			continue
		}
		if t.Options.Target != hexcc.C {
			other := fast
			if other.Launch = hexcc.Ready; fast.Launch == hexcc.Ready {
				other.Launch = hexcc.Phases
			}
			add(other)
		}
		if t.Options.Target == hexcc.CUDA {
			for _, memory := range []lower.Strategy{lower.Static, lower.Aligned} {
				other := fast
				other.Memory = memory.String()
				add(other)
			}
			other := fast
			other.Unroll = 2
			add(other)
		}
	}
	if t.Options.Target == hexcc.CUDA && t.First.Kernel != hexcc.Streaming {
		add(hexcc.Way{Strategy: hexcc.Hybrid, Kernel: hexcc.Streaming})
	}
	return all
}

// version returns the first line that a compiler says of itself.
func version(compiler string) string {
	out, err := exec.Command(compiler, "--version").Output()
	if err != nil {
		return compiler
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}
