package hexcc

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/scop"
	"github.com/hexcc/hexcc/tune"
)

// This file takes ways to run regions from what was measured.

// Tuned are measured results, and the device to take them of.
type Tuned struct {
	Name    string // of the file
	Choices tune.Choices
	Device  string
}

// ProgramID tells a region from others: what it means, wherever it stands.
func ProgramID(p *scop.Program) string {
	sum := sha256.Sum256([]byte(p.String()))
	return fmt.Sprintf("%x", sum[:16])
}

// ParseWay reads what Way.Flags has written.
func ParseWay(text string) (w Way, err error) {
	values := map[string]string{}
	for word := range strings.FieldsSeq(text) {
		flag, isFlag := strings.CutPrefix(word, "--")
		name, value, found := strings.Cut(flag, "=")
		if !isFlag || !found || values[name] != "" {
			return w, fmt.Errorf("'%s' is no --NAME=VALUE, or there twice", word)
		}
		values[name] = value
	}
	take := func(name string) string {
		v := values[name]
		delete(values, name)
		return v
	}
	w = Way{Strategy: Strategy(take("strategy")), Fuse: take("fuse"), Launch: Launch(take("launch")), Kernel: Kernel(take("kernel")), Memory: take("memory")}
	if !slices.Contains(Strategies()[1:], w.Strategy) {
		return w, fmt.Errorf("'%s' has no --strategy", text)
	}
	if w.Launch != "" && oneOf(string(w.Launch), AnyLaunch, Phases, Ready) != nil || w.Kernel != "" && oneOf(string(w.Kernel), AnyKernel, Tiles, Streaming) != nil {
		return w, fmt.Errorf("'%s' has a launch or a kernel that there is not", text)
	}
	if w.Memory != "" {
		if _, err := lower.LookupStrategy(w.Memory); err != nil {
			return w, err
		}
	}
	if n := take("unroll"); n != "" {
		if w.Unroll, err = strconv.Atoi(n); err != nil || w.Unroll < 1 {
			return w, fmt.Errorf("--unroll=%s is no number of points", n)
		}
	}
	tile := take("tile")
	sizes, err := w.Strategy.ParseTile(tile)
	if err != nil {
		return w, fmt.Errorf("--tile=%s: %w", tile, err)
	}
	if sizes != nil {
		w.Sizes = *sizes
	}
	for name := range values {
		return w, fmt.Errorf("'%s' has --%s, which no result has", text, name)
	}
	return w, nil
}

// takeTuned sets how u is to run by what was measured of p, at the sizes next to those of the options. It says what it takes, or that there is nothing for the device. The error
// is that there is nothing for p at all.
func (u *unit) takeTuned(p *scop.Program) (remark *diag.Diagnostic, wrong diag.List) {
	t := u.opts.Tuned
	target := string(u.opts.Target)
	x, others, ok := t.Choices.Nearest(ProgramID(p), target, t.Device, u.opts.Grid)
	if !ok && others == nil {
		return nil, diag.List{{Code: "HX018", At: p.Start(), Msg: fmt.Sprintf("%s has nothing for this region and --target=%s", t.Name, target),
			Help: "hexcc tune --save=FILE measures it; a result is for one region as it is written, so a change of it asks for another"}}
	}
	if !ok {
		return &diag.Diagnostic{Severity: diag.Remark, Code: "HX220", At: p.Start(),
			Msg:   fmt.Sprintf("the model chooses: %s has no results for %s", t.Name, t.Device),
			Notes: []diag.Note{{Msg: "it has some for " + strings.Join(others, "; ")}},
			Help:  "hexcc tune --save=FILE measures on this machine, and adds to the file"}, nil
	}
	w, err := ParseWay(x.Flags)
	if err == nil {
		u.opts, err = w.With(u.opts)
	}
	if err != nil {
		return nil, diag.List{{Code: "HX018", At: p.Start(), Msg: fmt.Sprintf("%s: %v", t.Name, err), Help: "hexcc tune --save=FILE writes such files"}}
	}
	flags := x.Flags
	if x.Threads > 0 {
		flags += fmt.Sprintf(" with OMP_NUM_THREADS=%d in the environment", x.Threads)
	}
	var at []string
	for _, name := range slices.Sorted(maps.Keys(x.Sizes)) {
		at = append(at, fmt.Sprintf("%s=%d", name, x.Sizes[name]))
	}
	msg := fmt.Sprintf("%s, as measured on %s", flags, x.Device)
	if len(at) > 0 {
		msg += " at " + strings.Join(at, ", ")
	}
	for name, n := range u.opts.Grid {
		if m, has := x.Sizes[name]; has && m != n {
			msg += ", the nearest to the sizes of --grid"
			break
		}
	}
	return &diag.Diagnostic{Severity: diag.Remark, Code: "HX220", At: p.Start(), Msg: msg}, nil
}
