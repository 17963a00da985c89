package ptx

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/ptx/asm"
)

// This file finds LLVM and runs it. llc takes an architecture that it does not
// know with a warning and writes nonsense, so it is asked first what it knows.

// What LLVM must be.
const (
	oldestLLVM = 14 // typed and untyped pointers; the oldest that is tested
	newestLLVM = 25 // the newest that is looked for by its name
)

// firstLLVM is the first version that knows an architecture, for what to install.
var firstLLVM = map[string]int{
	"sm_60": 14, "sm_61": 14, "sm_62": 14, "sm_70": 14, "sm_72": 14, "sm_75": 14, "sm_80": 14, "sm_86": 14,
	"sm_87": 16, "sm_89": 16, "sm_90": 16,
	"sm_100": 20, "sm_103": 21, "sm_110": 22, "sm_120": 20,
}

// firstPTX is the version of PTX in which an architecture appeared: what
// kernels need that use nothing newer, so that old drivers take them.
var firstPTX = map[string]string{
	"sm_60": "5.0", "sm_61": "5.0", "sm_62": "5.0", "sm_70": "6.0", "sm_72": "6.1", "sm_75": "6.3", "sm_80": "7.0", "sm_86": "7.1",
	"sm_87": "7.4", "sm_89": "7.8", "sm_90": "7.8", "sm_100": "8.6", "sm_103": "8.8", "sm_110": "9.0", "sm_120": "8.7",
}

// Tools are the programs of one LLVM.
type Tools struct {
	LLC, Opt string // paths
	Version  string // such as 16.0.6
	Library  string // the path of libdevice; "": nothing is linked
	archs    []string
}

// Find returns an LLVM that makes PTX for arch: that of llc, a path or a name, or
// if that is "" the one called llc, or one such as llc-16, the newest first. The error
// is a diag.List that says what to install.
func Find(llc, arch string) (Tools, error) {
	if firstPTX[arch] == "" {
		return Tools{}, diag.List{{Code: "HX502", Msg: fmt.Sprintf("no version of PTX is known that has %s", arch)}}
	}
	names := []string{llc}
	if llc == "" {
		names = []string{"llc"}
		for v := newestLLVM; v >= oldestLLVM; v-- {
			names = append(names, fmt.Sprintf("llc-%d", v))
		}
	}
	var reasons []string
	code := diag.Code("HX501")
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			if llc != "" {
				reasons = append(reasons, err.Error())
			}
			continue
		}
		t, err := ask(path)
		if err != nil {
			reasons = append(reasons, err.Error())
			continue
		}
		if slices.Contains(t.archs, arch) {
			return t, nil
		}
		code = "HX502"
		reasons = append(reasons, fmt.Sprintf("%s is of LLVM %s, which does not know %s", path, t.Version, arch))
	}
	return Tools{}, missing(code, arch, reasons)
}

// missing says what to install.
func missing(code diag.Code, arch string, reasons []string) diag.List {
	v := max(firstLLVM[arch], oldestLLVM)
	d := &diag.Diagnostic{Code: code, Msg: fmt.Sprintf("--target=ptx needs llc and opt of LLVM %d or newer for %s", v, arch)}
	if len(reasons) == 0 {
		reasons = []string{"no llc was found"}
	}
	for _, r := range reasons {
		d.Notes = append(d.Notes, diag.Note{Msg: r})
	}
	d.Help = fmt.Sprintf("install LLVM (Debian and Ubuntu: apt-get install llvm-%d), or name its llc with --llc or HEXCC_LLC", v)
	if v < 16 {
		d.Help = strings.Replace(d.Help, "install llvm-14", "install llvm", 1)
	}
	return diag.List{d}
}

var (
	versionLine = regexp.MustCompile(`LLVM version (\d+)(\.\S*)?`)
	archWord    = regexp.MustCompile(`(?m)^\s*(sm_\d+\w?)\b`)
)

// ask returns the LLVM of llc, with the architectures that it knows.
func ask(llc string) (Tools, error) {
	said, err := answer(llc, "--version")
	if err != nil {
		return Tools{}, err
	}
	m := versionLine.FindStringSubmatch(said)
	if m == nil {
		return Tools{}, fmt.Errorf("%s does not say which LLVM it is of", llc)
	}
	t := Tools{LLC: llc, Version: m[1] + m[2]}
	if n, _ := strconv.Atoi(m[1]); n < oldestLLVM {
		return Tools{}, fmt.Errorf("%s is of LLVM %s, which is too old", llc, t.Version)
	}
	if t.Opt, err = beside(llc, "opt", m[1]); err != nil {
		return Tools{}, err
	}
	knows, err := answer(llc, "-march=nvptx64", "-mcpu=help", "-filetype=null")
	if err != nil {
		return Tools{}, fmt.Errorf("%s makes no PTX: %w", llc, err)
	}
	for _, m := range archWord.FindAllStringSubmatch(knows, -1) {
		t.archs = append(t.archs, m[1])
	}
	return t, nil
}

// beside returns a tool of the LLVM that llc is of.
func beside(llc, tool, version string) (string, error) {
	real, err := filepath.EvalSymlinks(llc)
	if err != nil {
		return "", err
	}
	for _, path := range []string{
		filepath.Join(filepath.Dir(real), tool),
		filepath.Join(filepath.Dir(llc), strings.Replace(filepath.Base(llc), "llc", tool, 1)),
		filepath.Join(filepath.Dir(llc), tool+"-"+version),
	} {
		if found, err := exec.LookPath(path); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("there is no %s beside %s", tool, llc)
}

// How long a tool may run: no kernel takes a minute, and what it knows it says at once.
var (
	deadline = 5 * time.Minute
	patience = 15 * time.Second
)

// answer asks a program what it knows and returns what it prints, on both streams.
func answer(name string, args ...string) (string, error) {
	out, errs, err := run(patience, nil, name, args...)
	return string(out) + string(errs), err
}

// run runs a program with the input, for no longer than limit, and returns what it prints.
func run(limit time.Duration, input []byte, name string, args ...string) (out, errs []byte, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var o, e bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second // for what it started and left behind
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &o, &e
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("it ran longer than %v", limit)
		}
		if first, _, _ := strings.Cut(strings.TrimSpace(e.String()), "\n"); first != "" {
			err = fmt.Errorf("%w: %s", err, first)
		}
		return nil, nil, fmt.Errorf("%s failed: %w", name, err)
	}
	return o.Bytes(), e.Bytes(), nil
}

// optimize are the flags of opt. Passes that move what does not change out of loops,
// or keep what was computed once for later, are left out, and so are llc's reduction
// of strength (-disable-lsr), its moves out of loops and of what two branches
// compute to before both: the loops of tiles are long and a thread's registers are
// few, and kernels spill with them. ptxas does what is left to do.
//
// generate are the flags of llc: no contraction, and division and square root as
// IEEE 754 has them, are said and not left to what is usual.
var (
	optimize = "early-cse<memssa>,instcombine,simplifycfg,early-cse<memssa>,adce"
	generate = []string{
		"-O2", "-march=nvptx64", "-nvptx-short-ptr", "-fp-contract=off", "-nvptx-fma-level=0", "-nvptx-prec-divf32=2",
		"-nvptx-prec-sqrtf32", "-disable-lsr", "-disable-machine-licm", "-disable-machine-cse",
	}
)

// passes returns the flag of opt that names the passes. Those functions of the library
// that are meant to be are made part of kernels; whether it may flush to zero it asks by nvvm-reflect: it may not.
func (t Tools) passes() string {
	p := optimize
	if older(t.Version, "15.0") { // its early-cse keeps what instcombine could have put into one place: kernels spill
		p = strings.TrimPrefix(p, "early-cse<memssa>,")
	}
	if t.Library == "" {
		p = "function(" + p + ")"
	} else {
		p = "always-inline,function(nvvm-reflect," + p + "),globaldce"
	}
	if !older(t.Version, "18.0") { // where one round of instcombine must leave nothing to do, if it is not told otherwise
		p = strings.Replace(p, "instcombine", "instcombine<no-verify-fixpoint>", 1)
	}
	return "-passes=" + p
}

// sincePTX is the version of PTX in which instructions of assembly within kernels appeared, where some architecture is older.
var sincePTX = map[string]string{"nanosleep": "6.3"}

// least returns the version of PTX that a module needs for arch.
func least(module, arch string) string {
	version := firstPTX[arch]
	for _, name := range slices.Sorted(maps.Keys(sincePTX)) {
		if since := sincePTX[name]; strings.Contains(module, `"`+name+".") && older(version, since) {
			version = since
		}
	}
	return version
}

// Compile makes PTX of LLVM IR. An error is a diag.List: HX503, a tool fails.
func (t Tools) Compile(module, arch string) (string, error) {
	linked := []byte(module)
	if t.Library != "" {
		var err error
		if linked, err = t.link(module); err != nil {
			return "", err
		}
	}
	bitcode, _, err := run(deadline, linked, t.Opt, "-mcpu="+arch, t.passes(), "-nvptx-short-ptr")
	if err != nil {
		return "", failed(t, err)
	}
	flags, version := append([]string{"-mcpu=" + arch}, generate...), least(module, arch)
	if version != firstPTX[arch] {
		flags = append(flags, "-mattr=+ptx"+strings.ReplaceAll(version, ".", ""))
	}
	text, _, err := run(deadline, bitcode, t.LLC, flags...)
	if err != nil {
		return "", failed(t, err)
	}
	m, err := asm.Parse(string(text))
	if err != nil {
		return "", failed(t, fmt.Errorf("%s wrote what is not read as PTX: %w", t.LLC, err))
	}
	if m.Target != arch {
		return "", failed(t, fmt.Errorf("%s was asked for %s and made code for %s", t.LLC, arch, m.Target))
	}
	if older(m.Version, version) {
		return "", failed(t, fmt.Errorf("%s says that %s is in PTX %s, and it is in %s", t.LLC, arch, m.Version, version))
	}
	return string(text), nil
}

// older reports whether version a, such as 7.0, comes before b.
func older(a, b string) bool {
	var x, y [2]int
	fmt.Sscanf(a, "%d.%d", &x[0], &x[1])
	fmt.Sscanf(b, "%d.%d", &y[0], &y[1])
	return x[0] < y[0] || x[0] == y[0] && x[1] < y[1]
}

func failed(t Tools, err error) diag.List {
	return diag.List{{
		Code: "HX503", Msg: fmt.Sprintf("LLVM %s could not make PTX of the kernels: %v", t.Version, err),
		Help: "another version of LLVM may: name its llc with --llc or HEXCC_LLC",
	}}
}
