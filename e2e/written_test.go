package e2e_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/written"
)

var (
	writtenLog  = flag.String("written-log", "", "a file to list in the programs that are refused, slow, or run as they were")
	writtenWith = flag.String("with", "", "a feature, such as 'copies: memcpy', that programs have to have")
)

// What a translation may take: seconds of processor time, and KiB.
const (
	mostSeconds = 20
	mostMemory  = 4 << 20
)

// TestWritten translates random programs that are written as people write them, by the command and without flags, for OpenMP, a
// part of them for C and CUDA, too. It compares what each prints with what gcc makes of the original, at sizes from 0
// to more than a tile, and says for each habit how many programs that have it are taken. Programs of which the original loops
// ran at all sizes, since a fact that is tested did not hold, are counted by themselves: there nothing was compared.
func TestWritten(t *testing.T) {
	for name, value := range map[string]string{"OMP_NUM_THREADS": "3", "OMP_WAIT_POLICY": "passive"} {
		t.Setenv(name, value)
	}
	count := cmp.Or(*wideCount, 12) // make random tries more
	hexcc := command(t)
	w := &writing{T: t, hexcc: hexcc, made: map[string]int{}, counts: map[string]map[string]int{}, codes: map[string]int{}}
	var wait sync.WaitGroup
	slots := make(chan bool, *wideJobs)
	seed := *wideFirst
	for i := range count {
		p := written.Make(seed)
		for seed++; *writtenWith != "" && !slices.Contains(p.Features, *writtenWith); seed++ {
			p = written.Make(seed)
		}
		if *wideCount == 0 && !cases.Due(i, 2) {
			continue
		}
		slots <- true
		if end, ok := t.Deadline(); ok && *wideCount > 0 && time.Until(end) < time.Minute {
			t.Logf("no time for more than %d programs", i)
			break
		}
		wait.Go(func() {
			defer func() { <-slots }()
			w.program(p)
		})
		if *wideCount > 0 && i%500 == 499 {
			w.lock.Lock()
			fmt.Fprintf(os.Stderr, "%d programs\n%s", i+1, w)
			w.lock.Unlock()
		}
	}
	wait.Wait()
	t.Log(w)
	require.Positive(t, w.counts["all"]["equal"])
}

// A writing counts what becomes of programs.
type writing struct {
	*testing.T
	hexcc  string
	lock   sync.Mutex
	made   map[string]int            // by feature
	counts map[string]map[string]int // by feature, and what became of it
	codes  map[string]int            // refusals
}

// outcomes are what may become of a program.
var outcomes = []string{"taken", "equal", "not run", "slow", "wrong"}

func (w *writing) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-34s %6s", "", "made")
	for _, o := range outcomes {
		fmt.Fprintf(&b, " %7s", o)
	}
	b.WriteString("\n")
	for _, f := range slices.Sorted(maps.Keys(w.made)) {
		fmt.Fprintf(&b, "%-34s %6d", f, w.made[f])
		for _, o := range outcomes {
			fmt.Fprintf(&b, " %7d", w.counts[f][o])
		}
		fmt.Fprintf(&b, "  %3d %%\n", 100*w.counts[f]["taken"]/w.made[f])
	}
	return b.String() + fmt.Sprintf("refused with: %v\n", w.codes)
}

// count counts that something became of p.
func (w *writing) count(p *written.Program, outcome string) {
	w.lock.Lock()
	defer w.lock.Unlock()
	for _, f := range append([]string{"all"}, p.Features...) {
		if outcome == "" {
			w.made[f]++
			if w.counts[f] == nil {
				w.counts[f] = map[string]int{}
			}
			continue
		}
		w.counts[f][outcome]++
	}
}

// program tries one program.
func (w *writing) program(p *written.Program) {
	w.count(p, "")
	o := w.try(p)
	if o.refused != "" {
		w.lock.Lock()
		w.codes[o.refused]++
		w.lock.Unlock()
		w.note(fmt.Sprintf("%d %s %s\n", p.Seed, o.refused, o.says))
		return
	}
	if o.wrong == "" {
		w.count(p, "taken")
		w.count(p, map[bool]string{true: "equal", false: "not run"}[o.ran])
		if !o.ran {
			w.note(fmt.Sprintf("%d not run\n", p.Seed))
		}
		return
	}
	if strings.HasPrefix(o.wrong, "hexcc takes") {
		w.count(p, "slow")
		w.note(fmt.Sprintf("%d SLOW %.200s\n", p.Seed, o.wrong))
		return
	}
	w.count(p, "wrong")
	kind := kindOf(o.wrong)
	tries := 0
	small := p.Shrink(func(q *written.Program) bool {
		tries++
		return tries < 30 && kindOf(w.try(q).wrong) == kind
	})
	w.lock.Lock()
	defer w.lock.Unlock()
	w.Errorf("seed %d: %.1500s\n%s\nchosen: %s\n%s", p.Seed, o.wrong, small.Text, small.Choices(), w.try(small).wrong)
	fmt.Fprintf(os.Stderr, "FAIL seed %d: %.600s\n%s\n%s\n", p.Seed, o.wrong, small.Choices(), small.Text)
}

// note adds a line to the file of -written-log, if that is set.
func (w *writing) note(line string) {
	name := *writtenLog
	if name == "" {
		return
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.WriteString(line)
		f.Close()
	}
	if err != nil {
		w.Error(err)
	}
}

// An outcome is what became of a program.
type outcome struct {
	refused, says string // a code, and the message
	wrong         string // "KIND: text", "" if nothing is
	ran           bool   // loops that hexcc made ran at some size
}

// try translates a program and compares.
func (w *writing) try(p *written.Program) (o outcome) {
	dir, err := os.MkdirTemp("", "hexcc-written-")
	if err != nil {
		return outcome{wrong: err.Error()}
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, "p.c")
	if err := os.WriteFile(source, []byte(p.Text), 0o666); err != nil {
		return outcome{wrong: err.Error()}
	}
	var flags []string
	if p.Seed%2 == 1 { // small tiles, of which small grids have many, unless the program is not for such
		flags = []string{"--tile=h=1,w0=4" + []string{"", ",w1=3", ",w1=3,w2=4"}[p.Dims-1]}
	}
	code, says, wrong := translated(w.hexcc, source, dir, append(flags, "--target=openmp")...)
	if flags != nil && code != "" {
		flags = nil
		code, says, wrong = translated(w.hexcc, source, dir, "--target=openmp")
	}
	if code != "" || wrong != "" {
		return outcome{refused: code, says: says, wrong: wrong}
	}
	targets := []string{"openmp"}
	if p.Seed%10 == 5 {
		targets = append(targets, "c")
	}
	if _, err := exec.LookPath("g++"); p.Seed%20 == 0 && (err == nil || os.Getenv("CI") == "true") {
		targets = append(targets, "cuda")
	}
	plain := filepath.Join(dir, "plain")
	level := "-O0"
	if p.Seed%8 == 3 {
		level = "-O1" // which takes five times as long
	}
	warned, err := gcc(dir, append(warnings, level, "p.c", "-o", "plain", "-lm")...)
	if err != nil {
		return outcome{wrong: "original: " + err.Error()}
	}
	want := make([]ending, len(p.Runs))
	for i, target := range targets {
		if i > 0 {
			code, _, wrong := translated(w.hexcc, source, dir, append(flags, "--target="+target)...)
			if wrong != "" {
				return outcome{wrong: wrong}
			} else if code != "" {
				continue // of this target
			}
		}
		ours, warns, err := buildWritten(dir, target, level)
		if err != nil {
			return outcome{wrong: target + " build: " + err.Error()}
		}
		if warns != "" && warned == "" {
			return outcome{wrong: target + " warnings: " + warns}
		}
		for k, args := range p.Runs {
			if want[k].out == nil {
				if want[k] = ended(plain, args); want[k].failed() {
					return outcome{wrong: fmt.Sprintf("original run: %v: %v", args, want[k])}
				}
			}
			got := ended(ours, args)
			switch {
			case got.failed():
				return outcome{wrong: fmt.Sprintf("%s run: %v: %v", target, args, got)}
			case !bytes.Equal(got.out, want[k].out) || got.status != want[k].status:
				return outcome{wrong: fmt.Sprintf("%s differs: %v:\n%s%s", target, args, want[k].out, got.out)}
			case bytes.Contains(got.err, []byte("hexcc ran")):
				o.ran = true
			}
		}
	}
	return o
}

var warnings = []string{"-Wall", "-Wextra", "-Wno-unknown-pragmas", "-ffp-contract=off"}

var codeOf = regexp.MustCompile(`(?m)error: (.*) \[(HX\d+)\]$`)

// translated runs hexcc. It returns the code and the message of a refusal, and what is wrong otherwise.
func translated(hexcc, source, dir string, flags ...string) (code, says, wrong string) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*mostSeconds*time.Second)
	defer cancel()
	limited := fmt.Sprintf(`ulimit -t %d; exec "$0" "$@"`, mostSeconds+1)
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", limited, hexcc, "-q", "-o", filepath.Join(dir, "p"), source}, flags...)...)
	out, err := cmd.CombinedOutput()
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); used > mostSeconds*time.Second || usage.Maxrss > mostMemory {
		return "", "", fmt.Sprintf("hexcc takes: %v %v, %d MiB\n%s", flags, used, usage.Maxrss>>10, out)
	}
	if err == nil {
		return "", "", ""
	}
	found := codeOf.FindSubmatch(out)
	if found == nil || bytes.Contains(out, []byte("panic")) {
		return "", "", fmt.Sprintf("hexcc says: %v %v: %.1500s", flags, err, out)
	}
	return string(found[2]), string(found[1]), ""
}

// function is the head of a function that stands for a region.
var function = regexp.MustCompile(`(?m)^(?:static |extern "C" )?(?:void|int) hexcc_p_\d+\([^;{]*\)\n\{\n`)

// counted lets the program say at its end whether a function that stands for a region ran.
func counted(text string) string {
	text = function.ReplaceAllString(text, "${0}  hexcc_tell = 1;\n")
	return `#include <stdio.h>
static int hexcc_tell;
__attribute__((destructor)) static void hexcc_told(void) { if (hexcc_tell) fputs("hexcc ran\n", stderr); }
#line 1 "p"
` + text
}

// buildWritten compiles what hexcc made.
func buildWritten(dir, target, level string) (program, warns string, err error) {
	program = filepath.Join(dir, target)
	from := map[string]string{"openmp": "p.hex.c", "c": "p.hex.c", "cuda": "p.hex_kernel.cu"}[target]
	text, err := os.ReadFile(filepath.Join(dir, from))
	if err != nil {
		return "", "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "counted.c"), []byte(counted(string(text))), 0o666); err != nil {
		return "", "", err
	}
	if target != "cuda" {
		warns, err = gcc(dir, append(warnings, level, "-fopenmp", "-DHEXCC_GRAIN=0", "counted.c", "-o", target, "-lm")...)
		return program, warns, err
	}
	if err := os.WriteFile(filepath.Join(dir, "cuda_runtime.h"), []byte(cuda.Shim), 0o666); err != nil {
		return "", "", err
	}
	if err := plusPlus(dir, "-x", "c++", "-c", "counted.c", "-o", "kernel.o"); err != nil {
		return "", "", err
	}
	warns, err = gcc(dir, append(warnings, level, "-I.", "-x", "c", "p.hex_host.cu", "-x", "none", "kernel.o", "-o", target, "-lm", "-lstdc++")...)
	return program, warns, err
}

// gcc runs gcc and returns its warnings.
func gcc(dir string, args ...string) (string, error) {
	cmd := exec.Command("gcc", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%.1500s", err, out)
	}
	return string(out), nil
}

// An ending is what a run of a program leaves.
type ending struct {
	out, err []byte
	status   int
}

// failed reports whether the program came to no end of its own.
func (e ending) failed() bool { return e.status != 0 && e.status != 1 }

func (e ending) String() string { return fmt.Sprintf("status %d: %.1000s", e.status, e.err) }

func ended(program string, args []string) (e ending) {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		errs.WriteString(err.Error())
	}
	return ending{append([]byte{}, out.Bytes()...), errs.Bytes(), cmd.ProcessState.ExitCode()}
}
