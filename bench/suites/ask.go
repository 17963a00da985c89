package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A result is what hexcc says of a program.
type result struct {
	program
	// lines of the region, without empty ones
	lines int
	// absent says why hexcc was not asked; "" if it was.
	absent string
	// answers by target, in the order of the command line
	answers []answer
	// verified is what hexcc verify says; "" if it was not asked.
	verified string
	// compared is what is known from elsewhere.
	compared string
	// arithmetic is that of a point; zero if it was not asked for.
	arithmetic arithmetic
}

// An arithmetic is what hexcc inspect says under this name, and the number of arrays.
type arithmetic struct{ operations, bytes, arrays int64 }

// An answer is how one translation ended.
type answer struct {
	// code is the error's, "" if it was translated; time, memory and crash if it came to no end of its own.
	code, message string
	// remarks are the codes of remarks.
	remarks []string
}

// taken says whether the first target was made.
func (r result) taken() bool { return r.absent == "" && r.answers[0].code == "" }

// timed says whether the region that was taken holds the time loop.
func (r result) timed() bool {
	return r.taken() && !slices.ContainsFunc(r.answers[0].remarks, func(code string) bool { return code == "HX118" })
}

// ask translates a program for every target.
func ask(c config, p program) (result, error) {
	r := result{program: p}
	source := filepath.Join(c.clones, p.suite, p.file)
	text, err := os.ReadFile(source)
	if errors.Is(err, os.ErrNotExist) {
		r.absent = "not there"
		return r, nil
	}
	if err != nil {
		return r, err
	}
	if p.sum != "-" && p.sum != checksum(text) {
		r.absent = "another version"
		return r, nil
	}
	marked, err := insert(string(text), p.marks)
	if err != nil {
		return r, err
	}
	r.lines = regionLines(marked)
	dir, err := filepath.Abs(filepath.Join(c.work, p.suite, p.name))
	if err != nil {
		return r, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return r, err
	}
	name := filepath.Base(p.file)
	if strings.HasSuffix(name, ".h") { // which C++ files include
		name += ".cpp"
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(marked), 0o666); err != nil {
		return r, err
	}
	flags, err := c.flags(p)
	if err != nil {
		return r, err
	}
	for _, target := range c.targets {
		a, err := c.translate(dir, target, marked, append([]string{name}, flags...))
		if err != nil {
			return r, err
		}
		r.answers = append(r.answers, a)
	}
	if c.intensity && r.taken() {
		if r.arithmetic, err = c.inspect(dir, append([]string{name}, flags...)); err != nil {
			return r, err
		}
	}
	if c.verify && r.taken() {
		said, err := c.run(dir, append([]string{"verify", "--target=" + c.targets[0], name}, flags...)...)
		r.verified = "bit for bit"
		if a := read(said, err); a.code != "" {
			r.verified = a.code
		}
	}
	return r, nil
}

// A kept answer is one that a run before had from the same compiler to the same question.
type kept struct {
	Question, Code, Message string
	Remarks                 []string
}

// translate asks hexcc for one target, unless the answer is in the folder already.
func (c config) translate(dir, target, marked string, args []string) (answer, error) {
	file := filepath.Join(dir, target+".json")
	question := strings.Join(append([]string{c.identity, target, checksum([]byte(marked))}, args...), " ")
	var k kept
	if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &k) == nil && k.Question == question {
		return answer{k.Code, k.Message, k.Remarks}, nil
	}
	said, err := c.run(dir, append([]string{"--force", "--target=" + target}, args...)...)
	if err := os.WriteFile(filepath.Join(dir, target+".log"), []byte(said), 0o666); err != nil {
		return answer{}, err
	}
	a := read(said, err)
	if a.code == "time" { // it may do better when the machine is less busy
		return a, os.RemoveAll(file)
	}
	text, err := json.Marshal(kept{question, a.code, a.message, a.remarks})
	if err != nil {
		return a, err
	}
	return a, os.WriteFile(file, text, 0o666)
}

// inspect returns the arithmetic of the only region of a file.
func (c config) inspect(dir string, args []string) (arithmetic, error) {
	said, err := c.run(dir, append([]string{"inspect", "-q", "--format=json", "--target=" + c.targets[0]}, args...)...)
	if err != nil {
		return arithmetic{}, fmt.Errorf("%s: %w: %s", dir, err, firstLine(said))
	}
	var in struct {
		Arithmetic struct{ Operations, Bytes int64 }
		Arrays     []struct{ Extents []string }
	}
	if err := json.Unmarshal([]byte(said), &in); err != nil {
		return arithmetic{}, fmt.Errorf("%s: %w", dir, err)
	}
	a := arithmetic{operations: in.Arithmetic.Operations, bytes: in.Arithmetic.Bytes}
	for _, x := range in.Arrays {
		if len(x.Extents) > 1 {
			a.arrays++
		}
	}
	return a, nil
}

// flags returns those of a program with its folders in place.
func (c config) flags(p program) (flags []string, err error) {
	root, err := filepath.Abs(filepath.Join(c.clones, p.suite))
	if err != nil {
		return nil, err
	}
	flags = append(flags, "-I"+filepath.Dir(filepath.Join(root, p.file)))
	for _, f := range p.flags {
		if folder, found := strings.CutPrefix(f, "-I"); found {
			f = "-I" + filepath.Join(root, folder)
		}
		flags = append(flags, f)
	}
	return flags, nil
}

// run runs hexcc in a folder, within the limits, and returns what it said.
func (c config) run(dir string, args ...string) (string, error) {
	binary, err := exec.LookPath(c.hexcc)
	if err == nil {
		binary, err = filepath.Abs(binary)
	}
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	limited := fmt.Sprintf(`ulimit -v %d; exec "$0" "$@"`, c.memoryMB*1000)
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", limited, binary}, args...)...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	said, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return string(said), err
}

var (
	errorLine  = regexp.MustCompile(`(?m)^\S+: error: (.*?)(?: \[(HX\d+)\])?$`)
	remarkLine = regexp.MustCompile(`(?m)remark: .*\[(HX\d+)\]$`)
)

// read makes an answer of what hexcc said and how it ended.
func read(said string, err error) (a answer) {
	for _, m := range remarkLine.FindAllStringSubmatch(said, -1) {
		if !slices.Contains(a.remarks, m[1]) {
			a.remarks = append(a.remarks, m[1])
		}
	}
	slices.Sort(a.remarks)
	m := errorLine.FindStringSubmatch(said)
	switch {
	case err == nil:
	case errors.Is(err, context.DeadlineExceeded):
		a.code, a.message = "time", "no answer within the limit"
	case m != nil && m[2] != "":
		a.code, a.message = m[2], m[1]
	case strings.Contains(said, "out of memory") || strings.Contains(said, "cannot allocate memory"):
		a.code, a.message = "memory", "more memory than the limit"
	default:
		a.code, a.message = "crash", strings.TrimSpace(firstLine(said)+" ("+err.Error()+")")
	}
	return a
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
