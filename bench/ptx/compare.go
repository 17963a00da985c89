package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/ptx/asm"
	"github.com/hexcc/hexcc/schedule"
)

type options struct {
	small     bool
	llc, nvcc string
}

// A row is one kernel as made by both compilers.
type row struct {
	name         string
	phase        int
	updates      int
	ours, theirs *made
}

// A made is a kernel as PTX: its steps, and what ptxas says.
type made struct {
	steps            asm.Mix
	registers, spill string
}

// perUpdate returns the instructions of the steps per update, 0 if they are not known.
func (m *made) perUpdate(updates int) float64 {
	if updates == 0 {
		return 0
	}
	return float64(m.steps.Total()) / float64(updates)
}

func (m *made) print(w io.Writer, r row, by string) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%s\t", r.name, r.phase, r.updates, by)
	for _, n := range []int{
		m.steps.Total(), m.steps[asm.SharedLoad], m.steps[asm.SharedStore], m.steps[asm.GlobalStore], m.steps[asm.Float],
		m.steps[asm.Integer], m.steps[asm.Move], m.steps[asm.Predicate], m.steps[asm.Branch],
	} {
		if r.updates == 0 || m.steps.Total() == 0 {
			fmt.Fprint(w, "-\t")
		} else {
			fmt.Fprintf(w, "%.2f\t", float64(n)/float64(r.updates))
		}
	}
	fmt.Fprintf(w, "%s\t%s\t\n", m.registers, m.spill)
}

// compare makes PTX of a case in both ways.
func compare(path, name string, o options) ([]row, error) {
	src, err := source(path, name)
	if err != nil {
		return nil, err
	}
	opts := hexcc.Options{NoAlias: true, Base: name, Target: hexcc.PTX, LLC: o.llc}
	if o.small {
		if opts.Tile, err = smallTile(src, opts); err != nil {
			return nil, err
		}
	}
	res, err := hexcc.Compile(src, opts)
	if err != nil {
		return nil, err
	}
	ours, err := asm.Parse(res.PTX.PTX)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "bench-ptx")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var theirs *asm.Module
	usesOurs, usesTheirs := map[string][2]string{}, map[string][2]string{}
	if o.nvcc != "" {
		if usesOurs, err = assemble(o.nvcc, filepath.Join(dir, "ours.ptx"), res.PTX.PTX); err != nil {
			return nil, err
		}
		text, err := nvccPTX(o.nvcc, dir, name, cuda.Print(res.GPU, cuda.Names{Base: name}))
		if err != nil {
			return nil, err
		}
		if theirs, err = asm.Parse(text); err != nil {
			return nil, err
		}
		if usesTheirs, err = assemble(o.nvcc, filepath.Join(dir, "theirs.ptx"), text); err != nil {
			return nil, err
		}
	}
	var rows []row
	for i, k := range res.GPU.Kernels {
		r := row{name: name, phase: k.Phase, updates: ptx.Updates(k)}
		r.ours = stepsOf(ours, res.PTX.Module.Kernels[0][i].Name, usesOurs)
		if theirs != nil {
			r.theirs = stepsOf(theirs, res.PTX.Module.Kernels[0][i].Name, usesTheirs)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// stepsOf returns what the steps of the kernel of that name, mangled or not, are made of.
func stepsOf(m *asm.Module, name string, uses map[string][2]string) *made {
	for _, k := range m.Kernels {
		if !strings.Contains(k.Name, name) {
			continue
		}
		var mix asm.Mix
		for _, s := range k.Steps() {
			mix = mix.Plus(k.MixOf(s))
		}
		use := uses[k.Name]
		return &made{mix, use[0], use[1]}
	}
	return &made{}
}

// nvccPTX returns what nvcc makes of CUDA text.
func nvccPTX(nvcc, dir, base string, f cuda.Files) (string, error) {
	for _, file := range f.Named(base) {
		if err := os.WriteFile(filepath.Join(dir, file.Name), []byte(file.Text), 0o666); err != nil {
			return "", err
		}
	}
	out := filepath.Join(dir, "nvcc.ptx")
	if said, err := exec.Command(nvcc, "-O3", "-arch=sm_80", "-ptx", filepath.Join(dir, cuda.KernelFile(base)), "-o", out).CombinedOutput(); err != nil {
		return "", fmt.Errorf("nvcc: %w\n%s", err, said)
	}
	text, err := os.ReadFile(out)
	return string(text), err
}

var (
	entryLine = regexp.MustCompile(`Compiling entry function '(\w+)'`)
	spillLine = regexp.MustCompile(`(\d+) bytes spill stores`)
	usedLine  = regexp.MustCompile(`Used (\d+) registers`)
)

// assemble returns registers and spilled bytes of each kernel, by its name.
func assemble(nvcc, path, text string) (map[string][2]string, error) {
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		return nil, err
	}
	ptxas := filepath.Join(filepath.Dir(nvcc), "ptxas")
	said, err := exec.Command(ptxas, "-arch=sm_80", "-v", path, "-o", path+".cubin").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("ptxas: %w\n%s", err, said)
	}
	uses, kernel := map[string][2]string{}, ""
	for line := range strings.Lines(string(said)) {
		if m := entryLine.FindStringSubmatch(line); m != nil {
			kernel = m[1]
		}
		use := uses[kernel]
		if m := spillLine.FindStringSubmatch(line); m != nil {
			use[1] = m[1]
		}
		if m := usedLine.FindStringSubmatch(line); m != nil {
			use[0] = m[1]
		}
		uses[kernel] = use
	}
	return uses, nil
}

// smallTile returns small sizes for the tiles of a case.
func smallTile(src hexcc.Source, o hexcc.Options) (*schedule.Sizes, error) {
	o.Stop = "cone"
	res, err := hexcc.Compile(src, o)
	if err != nil {
		return nil, err
	}
	s := schedule.Sizes{W: [][]int64{{5}, {3, 32}, {2, 4, 32}, {1, 2, 2, 16}}[len(res.Space.Space)-1]}
	for _, h := range schedule.LegalH(res.Space.K) {
		if s.H == 0 || h <= 2 {
			s.H = h
		}
	}
	s.W[0] = max(s.W[0], schedule.MinW0(res.Cone, s.H))
	return &s, nil
}
