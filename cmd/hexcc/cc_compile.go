package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/ccline"
)

// This file translates the inputs of hexcc cc that have regions, and has the compiler compile what comes of them.

// translated translates the parts, and compiles them in place of the sources. Meanwhile the compiler reads the sources as
// they are: it writes dependencies, which so are those of the source, and says what is wrong with it.
func (s *step) translated() int {
	dirs := map[string]bool{}
	for i, p := range s.units {
		dir, err := newFolder(fmt.Sprint(i, "\n", p.Name, "\n", s.line.Output))
		if err != nil {
			return s.fail("cannot make a folder for what is compiled: %v", reason(err))
		}
		p.dir = dir
		name := filepath.Base(p.Name)
		if p.Name == "-" {
			if name = "-.c"; p.Cxx {
				name = "-.cpp"
			}
		}
		p.path = filepath.Join(dir.path, name)
	}
	for _, in := range s.line.Inputs {
		dirs[filepath.Dir(in.Name)] = true
	}
	var front bytes.Buffer
	var status int
	var started error
	var wait sync.WaitGroup
	s.joins = s.joiner()
	wait.Go(func() { status, started = s.readAsIs(&front) })
	for _, p := range s.units {
		wait.Go(func() { s.translate(p) })
	}
	wait.Wait()
	switch {
	case s.running.stopped():
		return exitUsage
	case started != nil:
		return s.missing(started)
	case status != 0:
		_, _ = bare(s.stderr).Write(front.Bytes())
		return status
	}
	for _, p := range s.units {
		if p.failed && !s.orPlain {
			_, _ = s.stderr.Write(p.said.Bytes())
			status = exitUsage
			continue
		}
		if p.failed {
			fmt.Fprintln(s.stderr, asItIs(p))
			p.plain = true
			continue
		}
		_, _ = s.stderr.Write(p.said.Bytes())
	}
	if status != 0 {
		return status
	}
	switch {
	case s.joins != nil:
		return s.joined()
	case len(dirs) > 1:
		return s.apart()
	}
	return s.compile(s.command(s.units, ccline.Without(s.inPlace(s.units))))
}

var errorLine = regexp.MustCompile(`(?m)^(.*?): (?:fatal )?error: (.*)$`)

// asItIs says that a part is compiled as it is, and why.
func asItIs(p *part) string {
	at, why := shown(p.Name), "hexcc failed"
	if m := errorLine.FindSubmatch(p.said.Bytes()); m != nil {
		if at, why = string(m[1]), string(m[2]); at == "hexcc" {
			at = shown(p.Name)
		}
	}
	return at + ": remark: compiled as it is, not tiled: " + why
}

// readAsIs has the compiler read the sources.
func (s *step) readAsIs(said *bytes.Buffer) (int, error) {
	cmd := exec.Command(s.line.Compiler, append(slices.Clone(s.line.Args), "-fsyntax-only", "-Wno-unknown-pragmas")...) // those of hexcc are known here; of others the compiler tells when it compiles
	cmd.Stdout, cmd.Stderr = said, said
	if s.stdin != nil {
		cmd.Stdin = bytes.NewReader(s.stdin)
	}
	return s.running.run(cmd)
}

// oldC are the standards without loops that declare their variables, which clang takes all the same.
var oldC = []string{"-ansi", "-std=c89", "-std=c90", "-std=gnu89", "-std=gnu90", "-std=iso9899:1990", "-std=iso9899:199409"}

// translate translates a part, by a hexcc of its own: what becomes of memory there is no concern of the compiler.
func (s *step) translate(p *part) {
	if std := s.line.Standard; !p.Cxx && slices.Contains(oldC, std) && !s.line.IsClang() {
		p.failed = true
		fmt.Fprintf(&p.said, "%s: error: the translation is C99, and %s asks for less\nhelp: compile the file with -std=gnu99 or later, or as it is with %s\n", shown(p.Name), std, orPlain)
		return
	}
	args := s.translation(p)
	place := s.place(p, args)
	if p.take(place) {
		return
	}
	if p.seen == nil && p.Name != "-" && !p.Cxx { // what it prints is read faster than the headers
		if seen, err := s.preprocessed(p); err == nil {
			p.seen = seen
		}
	}
	if seen := filepath.Join(p.dir.path, preprocessedFile); p.seen != nil && os.WriteFile(seen, p.seen, 0o600) == nil {
		args = slices.Insert(args, 1, "--preprocessed="+seen)
		defer os.Remove(seen)
	}
	s.runTranslation(p, args)
	p.keep(place)
}

// runTranslation runs hexcc, and notes what comes of it.
func (s *step) runTranslation(p *part, args []string) {
	self, err := os.Executable()
	if err != nil {
		p.failed = true
		fmt.Fprintf(&p.said, "hexcc: error: %v\n", err)
		return
	}
	cmd := exec.Command(self, args...)
	cmd.Args[0] = os.Args[0]
	cmd.Stdout, cmd.Stderr = &p.said, &p.said
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "HEXCC_FLAGS=") })
	if p.Name == "-" {
		cmd.Stdin = bytes.NewReader(s.stdin)
	}
	status, err := s.running.run(cmd)
	switch {
	case err != nil:
		p.failed = true
		fmt.Fprintf(&p.said, "hexcc: error: %v\n", err)
	case status == diag.Code(noRegion).Exit() && bytes.Contains(p.said.Bytes(), []byte("["+noRegion+"]")): // it is in a comment, or under #if
		p.said.Reset()
		p.plain = true
	case status != 0:
		p.failed = true
	}
}

// noRegion is the code of a file without a region.
const noRegion = "HX004"

// translation returns the arguments by which hexcc translates a part as the compiler reads it.
func (s *step) translation(p *part) []string {
	target := hexcc.C
	if s.line.OpenMP {
		target = hexcc.OpenMP
	}
	args := []string{"translate", "--target=" + string(target), "--unit=" + p.path}
	if s.joins != nil {
		args = append(args, "--unit-apart")
	}
	if folder := keptFolder(keptRegions); folder != "" && s.keeps() {
		args = append(args, "--keep-regions="+folder)
	}
	if p.Cxx {
		args = append(args, "--language=c++")
	} else {
		args = append(args, "--language=c")
	}
	if path, err := exec.LookPath(s.line.Compiler); err == nil {
		args = append(args, "--host-compiler="+path)
		for _, d := range s.line.Dialect {
			if !p.Cxx || !strings.HasPrefix(d, "-std") { // it is asked for C
				args = append(args, "--host-compiler="+d)
			}
		}
	}
	for _, d := range s.line.Dirs {
		args = append(args, "-I"+d)
	}
	for _, d := range s.line.Defines {
		args = append(args, "-D"+d)
	}
	for _, u := range s.line.Undefines {
		args = append(args, "-U"+u)
	}
	for _, i := range s.line.Includes {
		args = append(args, "--pre-include="+i)
	}
	if coloured("auto", s.stderr) {
		args = append(args, "--fdiagnostics-color=always")
	}
	args = append(args, s.flags...)
	return append(args, "--", p.Name)
}

// inPlace returns the arguments of the compiler with translations in place of sources.
func (s *step) inPlace(parts []*part) []string {
	args := slices.Clone(s.line.Args)
	for _, p := range parts {
		if !p.plain {
			args[p.At] = p.path
		}
	}
	return args
}

// untold are warnings that would tell of the translation, not of the source: macros that only regions use are not used any more. What else
// only regions use, their translations name.
var untold = []string{"-Wno-unused-macros"}

// command returns the command that compiles parts with args: headers are found as beside the source, and what debuggers show is the source.
func (s *step) command(parts []*part, args []string) []string {
	words := append(slices.Clone(s.line.Wrappers), s.line.Compiler)
	seen := map[string]bool{}
	var maps []string
	some := false
	for _, p := range parts {
		if p.plain {
			continue
		}
		some = true
		dir := filepath.Dir(p.Name)
		if !seen[dir] {
			seen[dir] = true
			words = append(words, "-iquote", dir)
		}
		maps = append(maps, "-fdebug-prefix-map="+p.dir.path+"="+dir, "-fdebug-prefix-map="+p.path+"="+shown(p.Name))
	}
	words = append(words, args...)
	for _, p := range parts {
		if !p.plain && bytes.Contains(p.text, []byte("__BASE_FILE__")) { // which no #line changes
			words = append(words, "-fmacro-prefix-map="+p.path+"="+shown(p.Name))
		}
	}
	if some && s.line.Debug {
		words = append(words, maps...)
	}
	if some && s.line.Warns {
		words = append(words, untold...)
	}
	return words
}

// apart compiles inputs that lie in several folders one by one: a header is looked for beside the source that includes it.
func (s *step) apart() int {
	of := map[int]*part{}
	for _, p := range s.units {
		of[p.At] = p
	}
	if s.line.Stage == ccline.Link {
		args := ccline.Without(s.line.Args)
		for _, p := range s.units {
			if p.plain {
				continue
			}
			object := strings.TrimSuffix(p.path, filepath.Ext(p.path)) + ".o"
			if status := s.compile(s.command([]*part{p}, append(s.only(p.At, p.path, true), "-c", "-o", object))); status != 0 {
				return status
			}
			args[slices.Index(args, p.Name)] = object
		}
		return s.compile(append(append(slices.Clone(s.line.Wrappers), s.line.Compiler), args...))
	}
	for _, in := range s.line.Inputs {
		var parts []*part
		path := in.Name
		if p := of[in.At]; p != nil && !p.plain {
			parts, path = []*part{p}, p.path
		}
		if status := s.compile(s.command(parts, s.only(in.At, path, false))); status != 0 {
			return status
		}
	}
	return exitDone
}

// only returns the arguments with one input, as path. Where it is not linked there and then, nor is what -o says used.
func (s *step) only(at int, path string, linked bool) []string {
	var args []string
	for i, a := range s.line.Args {
		other := slices.ContainsFunc(s.line.Inputs, func(in ccline.Input) bool { return in.At == i })
		switch {
		case i == at:
			args = append(args, path)
		case !other:
			args = append(args, a)
		}
	}
	if args = ccline.Without(args); linked {
		args = ccline.NotLinked(args)
	}
	return args
}

// clean removes what was made for the compiler.
func (s *step) clean() {
	for _, p := range s.units {
		p.dir.remove()
	}
}
