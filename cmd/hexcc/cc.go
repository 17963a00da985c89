package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
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
	if c.NoCache {
		args = append([]string{noCache}, args...)
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
	noCache bool
	stdout  io.Writer
	stderr  io.Writer
	units   []*part
	stdin   []byte // what was read of it
	running children
	joins   *joiner // nil: a translation is compiled as one
}

// A part is an input that has regions.
type part struct {
	ccline.Input
	text   []byte
	dir    folder
	path   string // of the translation
	said   bytes.Buffer
	failed bool
	plain  bool   // it is compiled as it is
	seen   []byte // what the compiler's preprocessor makes of it; nil: it was not asked
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
		switch f {
		case orPlain:
			s.orPlain = true
		case noCache:
			s.noCache = true
		default:
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
		case name == "--target" && given && (!isCPU(value) || value == string(hexcc.MPI)):
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
