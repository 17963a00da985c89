// Command hexcc translates C stencils to time-tiled CUDA; see hexcc --help.
package main

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/hexcc/hexcc"
)

// The exit statuses; errors of the user's program have theirs from diag.
const (
	exitDone     = 0
	exitUsage    = 1
	exitMismatch = 3
	exitLimit    = 4
	exitBug      = 70
)

func main() {
	if step, args := compilerStep(os.Args[1:]); step != nil { // no process of its own where a compiler does all of the work
		os.Exit(step(args, os.Stdout, screen{os.Stderr}))
	}
	os.Exit(supervised(func() int {
		if os.Getenv("GOGC") == "" {
			collect()
		}
		return run(os.Args[1:], os.Stdout, os.Stderr)
	}))
}

// compilerStep returns what runs a compiler, and its arguments, where the command is hexcc cc or nvcc and does not ask for help.
func compilerStep(args []string) (func([]string, io.Writer, io.Writer) int, []string) {
	steps := map[string]func([]string, io.Writer, io.Writer) int{"cc": compileStep, "nvcc": nvccStep}
	if len(args) < 2 || args[1] == "--help" || args[0] == "cc" && args[1] == "-h" {
		return nil, nil
	}
	return steps[args[0]], args[1:]
}

// An exit is an error that carries the status to end with; its message, if any,
// has been printed.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// run is main with its streams and its status as values. A panic below it is a
// bug of ours and ends with 70.
func run(args []string, stdout, stderr io.Writer) (status int) {
	out := &sink{Writer: stdout}
	if isTerminal(stdout) {
		out.Writer = screen{stdout}
	}
	s := &session{stdout: out, stderr: screen{stderr}}
	defer func() {
		if r := recover(); r != nil {
			s.bug(r, debug.Stack())
			status = exitBug
		}
		s.end()
	}()
	words, err := expandArgs(args, s.read)
	s.colour = diagnosticsColour(words)
	if s.format = diagnosticsFormat(words); err != nil {
		s.format = diagnosticsFormat(args)
		return s.fail(err)
	}
	if len(words) == 0 {
		words = []string{"--help"}
	}
	ended := -1
	parser, err := kong.New(&s.cli,
		kong.Name("hexcc"),
		kong.Description(description),
		kong.Writers(s.stdout, s.stderr),
		kong.Vars{"version": versionLine()},
		kong.Exit(func(code int) { ended = code; panic(stop{}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.KindMapper(reflect.String, kong.MapperFunc(anyBytes)),
		kong.Bind(s))
	if err != nil {
		panic(err)
	}
	err = parseAndRun(parser, words)
	if ended > 0 {
		return ended
	}
	if err == nil {
		err = out.err // what was said is lost
	}
	return s.fail(err)
}

// anyBytes sets target to a word of the command line as it is: a name need not be UTF-8.
func anyBytes(ctx *kong.DecodeContext, target reflect.Value) error {
	word, err := ctx.Scan.PopValue("string")
	if err != nil {
		return err
	}
	target.SetString(fmt.Sprint(word.Value))
	return nil
}

// commit is what make says of what it builds, as 1a2b3c4d5e6f, or 1a2b3c4d5e6f-modified; "": nothing, or that it is the release. Go itself says it
// only where it was allowed to (-buildvcs), and not in a work tree beside the repository.
var commit string

// versionLine returns what hexcc --version and hexcc version print: the version, and, where it was not built from the tag of that, the commit.
func versionLine() string {
	info, known := debug.ReadBuildInfo()
	if !known || info.Main.Version == "v"+hexcc.Version {
		return "hexcc " + hexcc.Version
	}
	setting := map[string]string{}
	for _, s := range info.Settings {
		setting[s.Key] = s.Value
	}
	revision, modified := strings.CutSuffix(commit, "-modified")
	if revision == "" {
		revision, modified = setting["vcs.revision"], setting["vcs.modified"] == "true"
	}
	switch revision = revision[:min(len(revision), 12)]; {
	case revision == "":
		return "hexcc " + hexcc.Version
	case modified:
		revision += ", with changes"
	}
	return fmt.Sprintf("hexcc %s (commit %s)", hexcc.Version, revision)
}

// stop unwinds out of kong after it printed help.
type stop struct{}

func parseAndRun(parser *kong.Kong, args []string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stop); !ok {
				panic(r)
			}
		}
	}()
	ctx, err := parser.Parse(args)
	if err != nil {
		return err
	}
	return ctx.Run()
}

const description = `Translate C stencils between #pragma scop and #pragma endscop to CUDA that is tiled in time by hybrid
hexagonal/classical tiling. Every translation is proved legal for all problem sizes.`
