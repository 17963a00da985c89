package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/tune"
	"github.com/hexcc/hexcc/tune/stencil"
)

// This file measures on the CPU at hand: the program as it is, what --strategy=auto takes, and the best sizes of each other strategy by the model, as hexcc tune does first.

// A measurer runs programs in so many threads.
type measurer struct {
	threads int
	cpu     *machine.CPU
	about   string // the processor
}

const (
	cpuSteps     = 20          // of time, so that a run takes about 0.2 s
	cpuRounds    = 3           // in which all programs run one after the other; of each the least time counts
	runsInARound = 2           // at least
	longest      = time.Minute // of a process in a round, which reads its arrays first
)

func newMeasurer(threads int) (m measurer, err error) {
	if m.cpu, err = machine.ParseCPU("native"); err != nil {
		return m, err
	}
	m.threads, m.cpu.Cores = threads, int64(threads)
	if m.about = "1 thread"; threads > 1 {
		m.about = fmt.Sprintf("%d threads", threads)
	}
	return m, nil
}

// A built is a cell whose programs have been compiled.
type built struct {
	Entry
	tuner    *stencil.Tuner
	programs []tune.Program
	start    time.Time
}

func (b *built) remove() error {
	for _, p := range b.programs {
		if p != nil {
			p.Remove()
		}
	}
	return b.tuner.Close()
}

// entry returns the entry of a program, of which nothing is found yet.
func (m measurer) entry(p program) (Entry, error) {
	few, err := model.WithSteps(p.res.Space, nil, cpuSteps)
	if err != nil {
		return Entry{}, err
	}
	grid, err := model.Measurable(p.res.Space, few)
	e := Entry{Program: p.name, Device: m.about, Size: fmt.Sprintf("%d steps", cpuSteps), Grid: gridText(grid), Dims: len(p.res.Space.Space)}
	e.Key = keyOf(string(p.text), e.Device, e.Grid)
	return e, err
}

// build compiles what is to be run; what cannot be is said in the entry.
func (m measurer) build(p program, e Entry) (b built, err error) {
	b = built{Entry: e, start: time.Now()}
	grid, err := model.ParseTypical(e.Grid)
	if err != nil {
		return b, err
	}
	o := hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, CPU: m.cpu, Grid: grid, Base: "choice"}
	if m.threads == 1 {
		o.Target = hexcc.C
	}
	cc, err := exec.LookPath("gcc")
	if err != nil {
		return b, err
	}
	b.tuner, err = stencil.New(stencil.Request{Source: hexcc.Source{Name: p.name + ".c", Text: p.text}, Options: o, Compiler: cc, Repetitions: runsInARound, Seed: 1})
	if err != nil {
		return b, err
	}
	if err := b.tuner.Prepare(); err != nil {
		return b, errors.Join(err, b.tuner.Close())
	}
	levels := b.tuner.Levels()
	for i, c := range append(levels[0].Candidates(nil), levels[1].Candidates(nil)...) {
		w := Way{Way: c.Name, Expected: c.Expected}
		if way, sizes, ok := strings.Cut(strings.TrimPrefix(c.Name, "--strategy="), " "); ok && strings.HasPrefix(c.Name, "--strategy=") {
			w.Way, w.Sizes = way, strings.ReplaceAll(strings.ReplaceAll(sizes, "--tile=", ""), "--launch=", "")
		}
		if i == len(levels[0].Candidates(nil)) {
			b.Took = w.Way
		}
		program, err := b.tuner.Build(context.Background(), c)
		if no := (*tune.Rejection)(nil); errors.As(err, &no) {
			w.Why = no.Error()
		} else if err != nil {
			return b, errors.Join(err, b.remove())
		}
		b.Ways, b.programs = append(b.Ways, w), append(b.programs, program)
	}
	return b, nil
}

// run times what was built.
func (m measurer) run(b *built) error {
	if err := os.Setenv("OMP_NUM_THREADS", fmt.Sprint(m.threads)); err != nil {
		return err
	}
	for range cpuRounds {
		for i, p := range b.programs {
			w := &b.Ways[i]
			if p == nil || w.Why != "" {
				continue
			}
			ctx, cancel := context.WithTimeout(context.Background(), longest)
			seconds, err := p.Run(ctx)
			late := ctx.Err() != nil
			cancel()
			no := (*tune.Rejection)(nil)
			switch {
			case late:
				w.Why = fmt.Sprintf("it ran longer than %v", longest)
			case errors.As(err, &no):
				w.Why = no.Error()
			case err != nil:
				return err
			}
			for _, x := range seconds {
				if w.Seconds == 0 || x < w.Seconds {
					w.Seconds = x
				}
			}
		}
	}
	b.Work = time.Since(b.start).Round(time.Millisecond).Seconds()
	return nil
}

// batch is how many programs are built before they run, one after the other.
const batch = 8

// measureAll measures what is not in the log.
func measureAll(programs []program, l log, threads []int, alone []string, until time.Time) error {
	for _, n := range threads {
		m, err := newMeasurer(n)
		if err != nil {
			return err
		}
		for all := programs; len(all) > 0 && time.Now().Before(until); {
			var some []built
			for len(all) > 0 && len(some) < batch {
				p := all[0]
				all = all[1:]
				e, err := m.entry(p)
				if err != nil {
					return err
				}
				if _, found := l.all[e.Key]; found {
					continue
				}
				b, err := m.build(p, e)
				if err != nil {
					e.Why, _, _ = strings.Cut(err.Error(), "\n")
					if err := l.add(e); err != nil {
						return err
					}
					continue
				}
				some = append(some, b)
			}
			if err := m.runAll(some, l, alone); err != nil {
				return err
			}
		}
	}
	return nil
}

// runAll runs what was built, while files are locked.
func (m measurer) runAll(some []built, l log, alone []string) (err error) {
	unlock, err := lock(alone)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	for i := range some {
		b := &some[i]
		if err := errors.Join(m.run(b), b.remove()); err != nil {
			return fmt.Errorf("%s: %w", b.Program, err)
		}
		if err := l.add(b.Entry); err != nil {
			return err
		}
		fmt.Printf("%s, %s: %d ways, %.0f s\n", b.Program, b.Device, len(b.Ways), b.Work)
	}
	return nil
}
