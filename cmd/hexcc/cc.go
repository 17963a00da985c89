package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// This file is hexcc cc: a compiler that translates on the way.

// notFound is the status of a compiler that is not there, as in shells.
const notFound = 127

// Run does what a compiler does, with regions translated.
func (c *ccCmd) Run(s *session) error {
	args := c.Command
	if c.OrPlain {
		args = append([]string{orPlain}, args...)
	}
	return statusError(compileStep(args, s.stdout, s.stderr))
}

// orPlain asks for the file as it is where hexcc cannot translate it.
const orPlain = "--or-plain"

// A step is one run of a compiler.
type step struct {
	words   []string // the command: wrappers, compiler, arguments
	line    ccline.Line
	flags   []string // of hexcc
	orPlain bool
	stdout  io.Writer
	stderr  io.Writer
	units   []*part
	stdin   []byte // what was read of it
	running children
}

// A part is an input that has regions.
type part struct {
	ccline.Input
	text   []byte
	dir    folder
	path   string // of the translation
	said   bytes.Buffer
	failed bool
	plain  bool // it is compiled as it is
}

// compileStep runs the compiler that args name, after flags of hexcc, and returns the status to end with. Inputs that have
// regions are translated, and the translation is compiled in their place. Where there is none, the compiler takes the place of this process.
func compileStep(args []string, stdout, stderr io.Writer) int {
	s := &step{stdout: stdout, stderr: stderr}
	if err := s.read(args); err != nil {
		return s.fail("%v", err)
	}
	if err := s.findRegions(); err != nil {
		return s.fail("%v", err)
	}
	if len(s.units) == 0 {
		return s.plainly()
	}
	if err := s.check(); err != nil {
		return s.fail("%v", err)
	}
	return s.running.caught(func() int {
		defer s.clean()
		return s.translated()
	})
}

// fail tells why a step cannot be done, and returns the status of a compiler that fails.
func (s *step) fail(format string, args ...any) int {
	fmt.Fprintf(s.stderr, "hexcc: error: %s\n", fmt.Sprintf(format, args...))
	return exitUsage
}

// read takes args apart: flags of hexcc, those in HEXCC_FLAGS before, and the command.
func (s *step) read(args []string) error {
	flags, err := splitWords(os.Getenv("HEXCC_FLAGS"))
	if err != nil {
		return fmt.Errorf("HEXCC_FLAGS: %w", err)
	}
	for _, f := range flags {
		if !strings.HasPrefix(f, "-") {
			return fmt.Errorf("HEXCC_FLAGS has %q, which is no flag: a value follows its flag after =, as in --strategy=space", f)
		}
	}
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		flags, args = append(flags, args[0]), args[1:]
	}
	words, err := responses(args, 0)
	if err != nil {
		return err
	}
	for _, w := range words {
		if flag, ours := strings.CutPrefix(w, "-Whexcc,"); ours {
			flags = append(flags, flag)
		} else {
			s.words = append(s.words, w)
		}
	}
	if len(s.words) == 0 {
		return errors.New("hexcc cc takes the command line of a compiler: hexcc cc gcc -O2 -c FILE.c")
	}
	for _, f := range flags {
		if f == orPlain {
			s.orPlain = true
		} else {
			s.flags = append(s.flags, f)
		}
	}
	s.line = ccline.Parse(s.words)
	return nil
}

// check refuses flags of hexcc that have no meaning here. Those allowed have, which no other for a target has then.
func (s *step) check(allowed ...string) error {
	for _, f := range s.flags {
		if slices.Contains(allowed, f) {
			continue
		}
		if len(allowed) > 0 && strings.HasPrefix(f, "--target") {
			return fmt.Errorf("%s: hexcc nvcc makes kernels of %s", f, hexcc.CUDA)
		}
		name, value, given := strings.Cut(spell(f), "=")
		switch {
		case name == "--target" && given && !isCPU(value):
			return fmt.Errorf("--target=%s: what takes the place of a file is C for CPUs, %s or %s; hexcc nvcc makes kernels", value, hexcc.OpenMP, hexcc.C)
		case slices.Contains([]string{"--target", "--cpu", "--strategy", "--tile", "--grid", "--tuned", "--assume"}, name) && !given:
			return fmt.Errorf("%s has its value after =, as in %s=VALUE", f, f)
		case strings.HasPrefix(f, "-o"), name == "--MD", name == "--MF", name == "--MT", name == "--MP", name == "--unit", name == "--check", name == "--save-schedule":
			return fmt.Errorf("%s: hexcc cc writes what the compiler writes, and nothing else: leave it out", f)
		case !strings.HasPrefix(f, "-"):
			return fmt.Errorf("%q is no flag of hexcc", f)
		}
	}
	return nil
}

// responses returns args with what the files hold that @FILE names. Where there is no such file the word is a word, as for compilers.
func responses(args []string, depth int) (words []string, err error) {
	if depth > 100 {
		return nil, errors.New("response files name each other")
	}
	for _, arg := range args {
		name, is := strings.CutPrefix(arg, "@")
		text, missing := []byte(nil), error(nil)
		if is {
			text, missing = os.ReadFile(name)
		}
		if !is || missing != nil {
			words = append(words, arg)
			continue
		}
		inside, err := splitWords(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if inside, err = responses(inside, depth+1); err != nil {
			return nil, err
		}
		words = append(words, inside...)
	}
	return words, nil
}

// scopPragma is how a region begins.
var scopPragma = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+scop\b|\b_Pragma[ \t]*\([ \t]*"[ \t]*scop\b`)

// marked reports whether a text may have a region: it costs next to nothing where it has none.
func marked(text []byte) bool {
	return bytes.Contains(text, []byte("scop")) && scopPragma.Match(text)
}

// findRegions reads the inputs, and keeps those with regions.
func (s *step) findRegions() error {
	if s.line.Stage > ccline.Compile {
		return nil
	}
	for _, in := range s.line.Inputs {
		var text []byte
		var err error
		if in.Name == "-" {
			if s.stdin != nil {
				continue
			}
			if text, err = io.ReadAll(os.Stdin); err != nil {
				return fmt.Errorf("cannot read standard input: %w", reason(err))
			}
			s.stdin = append([]byte{}, text...)
		} else if text, err = os.ReadFile(in.Name); err != nil {
			continue // the compiler says what is wrong
		}
		if !marked(text) {
			continue
		}
		p := &part{Input: in, text: text}
		if in.Preprocessed {
			if !s.orPlain {
				return fmt.Errorf("%s has a region, and is preprocessed: hexcc translates sources. Compile the source, or pass %s to compile it as it is", shown(in.Name), orPlain)
			}
			continue
		}
		s.units = append(s.units, p)
	}
	return nil
}

// plainly runs the command as it is, in place of this process if that can be.
func (s *step) plainly() int {
	path, err := exec.LookPath(s.words[0])
	if err != nil {
		return s.missing(err)
	}
	if s.stdin == nil {
		if err := replace(path, s.words); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			return s.missing(err)
		}
	}
	return s.running.caught(func() int { return s.compile(s.words) })
}

func (s *step) missing(err error) int {
	s.fail("cannot run the compiler: %v", err)
	return notFound
}

// compile runs a command with the streams of this process.
func (s *step) compile(words []string) int {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, bare(s.stdout), bare(s.stderr)
	if s.stdin != nil {
		cmd.Stdin = bytes.NewReader(s.stdin)
	}
	status, err := s.running.run(cmd)
	if err != nil {
		return s.missing(err)
	}
	return status
}

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
	if len(dirs) > 1 {
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
	s.runTranslation(p, s.translation(p))
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
	if p.Cxx {
		args = append(args, "--language=c++")
	} else {
		args = append(args, "--language=c")
	}
	if path, err := exec.LookPath(s.line.Compiler); err == nil {
		args = append(args, "--host-compiler="+path)
		for i := 0; i < len(s.line.Dialect); i++ {
			if p.Cxx && strings.HasPrefix(s.line.Dialect[i], "-std") { // it is asked for C
				continue
			}
			args = append(args, "--host-compiler="+s.line.Dialect[i])
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

// unused are warnings of what is not used any more, as only regions have used it.
var unused = []string{"-Wno-unused", "-Wno-unused-function", "-Wno-unused-variable", "-Wno-unused-but-set-variable", "-Wno-unused-parameter", "-Wno-unused-but-set-parameter", "-Wno-unused-const-variable", "-Wno-unused-macros", "-Wno-unused-label", "-Wno-unused-value", "-Wno-unused-local-typedefs"}

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
		words = append(words, unused...)
		if !slices.ContainsFunc(parts, func(p *part) bool { return p.Cxx }) {
			words = append(words, "-Wno-nested-externs") // of what is declared before a call; C++ has no such warning
		}
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
