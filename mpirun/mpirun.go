package mpirun

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/scop"
)

// A Library is an MPI of this machine.
type Library struct{ Compiler, Starter string } // mpicc and mpirun, as paths or names

// Find returns the MPI of this machine: $HEXCC_MPICC and $HEXCC_MPIRUN, or mpicc and mpirun on PATH. The error says which of them is missing.
func Find() (Library, error) {
	return Named(cmp.Or(os.Getenv("HEXCC_MPICC"), "mpicc"), cmp.Or(os.Getenv("HEXCC_MPIRUN"), "mpirun"))
}

// Named returns the MPI whose programs have these names, or paths.
func Named(compiler, starter string) (l Library, err error) {
	if l.Compiler, err = exec.LookPath(compiler); err == nil {
		l.Starter, err = exec.LookPath(starter)
	}
	if err != nil {
		return l, fmt.Errorf("no MPI here: %w: install Open MPI or MPICH, or name its programs by HEXCC_MPICC and HEXCC_MPIRUN", err)
	}
	return l, nil
}

// A Program is regions that are compiled, with a driver.
type Program struct {
	// Roomy: its ranks run with as much memory as this process may give itself, whatever that has set: sanitizers reserve addresses without end.
	Roomy   bool
	library Library
	dir     string
	regions []Region
}

// Compile compiles files of C in a folder, the functions of regions, with a driver that calls them; headers declare them. flags are more arguments of the compiler.
func Compile(l Library, dir string, regions []Region, headers, sources []string, flags ...string) (*Program, error) {
	if err := os.WriteFile(filepath.Join(dir, "driver.c"), []byte(driver(regions, headers)), 0o666); err != nil {
		return nil, err
	}
	args := append([]string{"-ffp-contract=off", "-o", "ranks"}, flags...)
	cmd := exec.Command(l.Compiler, append(append(append(args, sources...), "driver.c"), "-lm")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return &Program{library: l, dir: dir, regions: regions}, nil
}

// A Trial is a run of a region.
type Trial struct {
	Region int
	Before *scop.Memory
}

// A Result is what came of a trial.
type Result struct {
	Failed int          // 1: there are more ranks than tiles; 2: the function could do nothing; else 0
	After  *scop.Memory // what the ranks own, gathered; nil where it failed
	Sent   [][2]int64   // by rank: messages and bytes
}

// openMPI lets Open MPI start ranks as root, and more of them than there are processors, which then do not wait in loops.
var openMPI = []string{
	"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_mpi_yield_when_idle=1", "OMP_WAIT_POLICY=passive",
}

// Environment returns the variables, beside those that there are, with which an MPI of this machine starts more ranks than there are processors.
func Environment() []string { return slices.Clone(openMPI) }

// Run runs trials, one after the other, on so many ranks. env is more of the environment.
func (p *Program) Run(ctx context.Context, ranks int, trials []Trial, env ...string) ([]Result, error) {
	var in bytes.Buffer
	word := func(v uint64) { in.Write(binary.LittleEndian.AppendUint64(nil, v)) }
	for _, t := range trials {
		word(uint64(t.Region))
		for _, v := range t.Before.Params {
			word(uint64(v))
		}
		for _, v := range t.Before.Scalars {
			word(v)
		}
		for _, s := range t.Before.Arrays {
			n := len(s.Array.Objects())
			for k := range n {
				part := s.Cells[k*len(s.Cells)/n : (k+1)*len(s.Cells)/n]
				word(uint64(len(part) * s.Array.Elem.Size()))
				for _, c := range part {
					in.Write(crun.Cell(s.Array.Elem, c))
				}
			}
		}
	}
	if err := os.WriteFile(filepath.Join(p.dir, "in"), in.Bytes(), 0o666); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, p.library.Starter, "-n", fmt.Sprint(ranks), "./ranks", "in", "out")
	if p.Roomy {
		cmd = exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -S -d "$(ulimit -H -d)"; exec "$0" "$@"`}, cmd.Args...)...)
	}
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), append(Environment(), env...)...)
	if says, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, says)
	}
	data, err := os.ReadFile(filepath.Join(p.dir, "out"))
	if err != nil {
		return nil, err
	}
	return results(trials, ranks, data)
}

// results reads what the driver has written.
func results(trials []Trial, ranks int, data []byte) (list []Result, err error) {
	next := func() (v uint64) {
		if len(data) < 8 {
			err = fmt.Errorf("the driver has written less than it should")
			data = make([]byte, 8)
		}
		v, data = binary.LittleEndian.Uint64(data), data[8:]
		return v
	}
	for _, t := range trials {
		r := Result{Failed: int(next())}
		for range ranks {
			r.Sent = append(r.Sent, [2]int64{int64(next()), int64(next())})
		}
		if r.Failed == 0 {
			r.After = t.Before.Clone()
			for _, s := range r.After.Arrays {
				if len(data) < len(s.Cells)*s.Array.Elem.Size() {
					return nil, fmt.Errorf("the driver has written less than it should")
				}
				for k := range s.Cells {
					s.Cells[k], data = crun.TakeCell(s.Array.Elem, data)
				}
			}
		}
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}
