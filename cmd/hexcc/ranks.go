package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/mpirun"
	"github.com/hexcc/hexcc/scop"
)

// verifiedRanks are the numbers of ranks that regions are run on, simulatedRanks those where this machine has no MPI.
var verifiedRanks, simulatedRanks = []int{2, 3, 4}, []int{2, 3}

// runRanks runs a region at the sizes of a verification on several ranks: by an MPI of this machine, or where it has none simulated in this process.
// Memory that a rank does not own is no number at the start.
func (c *verifyCmd) runRanks(s *session, res *hexcc.Result, number int, request emulate.Request, v *emulate.Verification) error {
	library, missing := mpirun.Find()
	if c.Target == string(hexcc.MPICUDA) {
		missing = errors.New("kernels run on the emulator")
	} else if missing == nil {
		return c.startRanks(s, library, res, number, request, v)
	}
	if c.Sanitize {
		return fmt.Errorf("--sanitize with --target=mpi starts ranks: %w", missing)
	}
	r := res.Regions[number]
	var ran []string
	elements := int64(0)
	for _, set := range simulatedSetOuts(r.Ranks) {
		some, count := false, set.ranks
		for n, t := range v.Trials {
			enough := false
			d, err := request.Against(t.Params, uint64(n), func(mem *scop.Memory) (err error) {
				var report *emulate.Report
				if r.GPU != nil {
					report, enough, err = emulate.RunRanksGPU(r.GPU, r.Ranks, count, mem, emulate.Options{Seed: c.Seed})
				} else if set.rows > 0 {
					report, enough, err = emulate.RunGrid(r.CPU, r.Ranks, set.rows, set.columns, mem, emulate.Options{Seed: c.Seed})
				} else {
					report, enough, err = emulate.RunRanks(r.CPU, r.Ranks, count, mem, emulate.Options{Seed: c.Seed})
				}
				if enough && err == nil && !report.OK() {
					return errors.New("the ranks run something else than the region")
				}
				return err
			})
			if err != nil {
				return s.diagnoseOne(&c.sourceFlags, err)
			}
			if !enough {
				continue
			}
			if d.Differ > 0 {
				fmt.Fprintf(s.stdout, "%d ranks with %s: %d elements differ, the first %s: %s, not %s\n", count, t.Sizes, d.Differ, d.First, d.A, d.B)
				return exit(exitMismatch)
			}
			if first, last := r.Ranks.Tiles(t.Params); first <= last {
				some, elements = true, elements+d.Elements
			}
		}
		if some {
			ran = append(ran, set.short())
		}
	}
	if ran == nil {
		return c.noRanks(s)
	}
	if !c.Quiet {
		fmt.Fprintf(s.stdout, "%s ranks with memory of their own, simulated, where there are so many tiles: all %d elements are equal\n", strings.Join(ran, ", "), elements)
	}
	if !c.Quiet {
		fmt.Fprintf(s.stdout, "they were not started as processes: %v\n", missing)
	}
	return nil
}

// startRanks is runRanks by an MPI.
func (c *verifyCmd) startRanks(s *session, library mpirun.Library, res *hexcc.Result, number int, request emulate.Request, v *emulate.Verification) error {
	r := res.Regions[number]
	dir, err := os.MkdirTemp("", "hexcc-ranks-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	base := c.baseName()
	var headers, sources []string
	text, call := res.OnRanks(number, base)
	for _, f := range text.Named(base) {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666); err != nil {
			return err
		}
		if strings.HasSuffix(f.Name, ".h") {
			headers = append(headers, f.Name)
		} else {
			sources = append(sources, f.Name)
		}
	}
	flags, how := []string{"-O1", "-fopenmp"}, ""
	env := []string{"ASAN_OPTIONS=detect_leaks=0"} // an MPI does not free all that is its own
	if c.Sanitize {
		flags, how = append(flags, sanitizers...), ", under sanitizers"
	}
	prog, err := mpirun.Compile(library, dir, []mpirun.Region{{Program: r.Scop, Name: call.Function, Args: call.Args, Grid: r.Ranks.Grid != nil}}, headers, sources, flags...)
	if err != nil {
		return err
	}
	prog.Roomy = c.Sanitize
	var trials []mpirun.Trial
	var want []*scop.Memory
	for n, t := range v.Trials {
		mem, err := scop.NewMemory(r.Scop, t.Params, request.Seed+uint64(n))
		if err != nil {
			return err
		}
		if !mem.BuildWalls() {
			fmt.Fprintf(s.stdout, "no ranks: with %s no values are known for which what ranks test of elements holds\n", t.Sizes)
			return exit(exitMismatch)
		}
		after := mem.Clone()
		if err := scop.RunOriginal(r.Scop, after, nil); err != nil {
			return err
		}
		trials, want = append(trials, mpirun.Trial{Before: mem}), append(want, after)
	}
	except := slices.DeleteFunc(slices.Clone(r.Scop.Arrays), func(a *scop.Array) bool { return !a.Local && !a.Scratch })
	started := false
	for _, set := range setOuts(r.Ranks) {
		count, threads := set.ranks, max(1, 4/set.ranks)
		results, err := prog.Run(context.Background(), count, trials, append(env, fmt.Sprint("OMP_NUM_THREADS=", threads), set.environment())...)
		if err != nil {
			return err
		}
		ran, messages, bytes := 0, int64(0), int64(0)
		for i, x := range results {
			if x.Failed == 1 {
				continue
			}
			at := v.Trials[i].Sizes
			if x.Failed != 0 {
				fmt.Fprintf(s.stdout, "%d ranks with %s: %s did nothing\n", count, at, call.Function)
				return exit(exitMismatch)
			}
			if d := want[i].Compare(x.After, except...); d.Differ > 0 {
				fmt.Fprintf(s.stdout, "%d ranks with %s: %d elements differ, the first %s: %s, not %s\n", count, at, d.Differ, d.First, d.B, d.A)
				return exit(exitMismatch)
			}
			for rank, share := range set.shares(r.Ranks, v.Trials[i].Params, int64(threads)) {
				if x.Sent[rank] != [2]int64{share.Messages, share.Bytes} {
					fmt.Fprintf(s.stdout, "%d ranks with %s: rank %d sent %d messages, %d bytes, not %d, %d\n", count, at, rank, x.Sent[rank][0], x.Sent[rank][1], share.Messages, share.Bytes)
					return exit(exitMismatch)
				}
				messages, bytes = messages+share.Messages, bytes+share.Bytes
			}
			if first, last := r.Ranks.Tiles(v.Trials[i].Params); first <= last { // else there is no iteration, and nothing was compared
				ran++
				started = true
			}
		}
		if !c.Quiet && ran == 0 {
			fmt.Fprintf(s.stdout, "%v: not run, at these sizes there are too few tiles\n", set)
		}
		if !c.Quiet && ran > 0 {
			fmt.Fprintf(s.stdout, "%v by %s%s, at %d sizes: all elements are equal; %d messages, %d bytes, as counted before\n", set, filepath.Base(library.Starter), how, ran, messages, bytes)
		}
	}
	if !started {
		return c.noRanks(s)
	}
	if !c.Quiet && res.C.MPI[number].Function == "" {
		fmt.Fprintln(s.stdout, "that is this nest by itself: the loop around it, and what ranks do to gather scalars, were not run")
	}
	return nil
}

// noRanks says that nothing was compared: a check that does so has failed.
func (c *verifyCmd) noRanks(s *session) error {
	fmt.Fprintln(s.stdout, "no ranks: at these sizes there is nothing to share out, one tile or no iteration: give larger ones by --sizes")
	return exit(exitMismatch)
}
