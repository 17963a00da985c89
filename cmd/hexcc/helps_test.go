package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
)

// helpsFolder holds what every help of the compiler says, with a program that gets it
// and the same program with the help applied, in which lines begin with
//
//	## HX102 remove it    the code and the help, word for word; .. stands for what varies,
//	                      which is {} in the commands with the help applied
//	$  hexcc s.c          the command, if it is another one
//	$+ hexcc -DN=4 s.c    and with the help applied
//	@ name.h              the file that follows, if it is not s.c
//	 text                 a line of the file
//	-text                 one without the help applied
//	+text                 one with it; = and * for other ways that the help names
//
// A file without pragmas is the body of a time loop; what stands before a line ---
// is outside of the function, and what stands between two of them before the loop.
const helpsFolder = "testdata/helps"

// A helpRow is one help of these files.
type helpRow struct {
	at, code, help string
	commands       map[byte]string // by ' ' and what lines of a way begin with
	lines          []string
}

// helpsElsewhere are helps that no file here gets, with .. for what varies at their end: the
// script that shows them, or why none does.
var helpsElsewhere = map[string]string{
	"pass it by value": "cxx.txtar",
	"use it for the last time in front of that, or name what it refers to where it is used": "cxx.txtar",
	"write it as C does, or keep it out of the region":                                      "cxx.txtar",
	"install gcc and g++..":                      "poor.txtar",
	"leave out --device=cpu..":                   "cpu.txtar",
	"name the other files and libraries..":       "run.txtar",
	"give the -I, -D and -U that it takes..":     "run.txtar",
	"leave out --compile, or compile the file..": "listing.txtar",
	"what is read is what perf stat -x, -o FILE writes: a line for each counter, its value first": "profile.txtar",
	"perf stat -x, -o FILE ./program writes one line for each":                                    "profile.txtar",
	"put nvdisasm on PATH..":                                  "listing.txtar",
	"install LLVM (Debian and Ubuntu: apt-get install llvm..": "poor.txtar",
	"another version of LLVM may..":                           "poor.txtar",
	"install it (python3 -m pip install nvidia-nvvm..":        "ptx.txtar",
	"install NVIDIA's CUDA toolkit..":                         "it depends on the machine: tools.txtar shows it",
	"take another --arch, or a CUDA toolkit..":                "it depends on the machine: tools.txtar shows it",
	"nvcc needs a C++ compiler that its version supports..":   "it depends on the machine: tools.txtar shows it",
	"install a driver and the loader..":                       "opencl.txtar",
	"known are ..":                                            "opencl.txtar",
	"choose another device":                                   "opencl.txtar",
	"did you mean the command hexcc ..":                       "habits.txtar",
	"name the architecture that the kernels are to run on..":  "it depends on the machine: doctor.txtar shows it",
	"put the region into a C file, and..":                     "it takes two files: TestOnlyInC of package openmp has them",
	"choose sizes that fit it with --..":                      "opencl.txtar",
	"nothing need be done: it is..":                           "it depends on the compiler of the machine: TestUnreadable shows it",
	"write fewer statements to one array..":                   "it takes 100,000 pairs of accesses: TestPairs of package schedule has them",
	"install all of LLVM..":                                   "it takes an llc without its llvm-link",
	"leave out what no region needs..":                        "it takes a file of 64 MiB: streams.txtar has one",
	"This is a fault of hexcc..":                              "poor.txtar",
	"fill up with zeros":                                      "own.txtar",
	"leave it out: what map says is..":                        "own.txtar",
	"statements are ..":                                       "own.txtar",
	"parameters are ..":                                       "own.txtar",
	"the region has no parameters":                            "it takes a tree with parameters of its own",
	"fewer dimensions with floors, or..":                      "a bound on exact computations: what passes it is long, and changes as they get faster",
	"write the schedule in another way":                       "own.txtar",
	"take --target=openmp or --target=c, or a file..":         "own.txtar",
	"leave --load-schedule out, or put pragmas..":             "own.txtar",
	"give these instances other times":                        "own.txtar",
	"larger tiles may do, by --tile..":                        "it takes nests for borders that run at other times than those inside: some of the gallery",
	"choose smaller sizes":                                    "it takes gigabytes to come so far",
	"simplify bounds and subscripts, or fix parameters..":     "a bound on exact computations: what passes it is long, and changes as they get faster",
	"split the expression, declaration or function":           "it takes thousands of brackets: the tests of frontend have them",
	"choose smaller tile sizes, or --tile=auto":               "the command line names the largest tile that fits; the Go API does not ask for it",
	"leave h out":            "the command line is refused before; the Go API can ask for it",
	"name sizes with --tile": "no nest is known of which not even a point fits",
	"give the files written another name with -o..": "it takes a file with a name that C cannot include",
	"declare it":                                                            "the C parser says so before, with other words; a second line of defence, as the next four",
	"cast it to an integer type":                                            "the C parser says so before",
	"cast them to an integer type":                                          "the C parser says so before",
	"use an array element":                                                  "the C parser refuses what is no element and no variable",
	"declare it as an array":                                                "nothing is known that gets it: a subscript of what is no array is refused by the C parser",
	"name the members, or keep them in arrays of their own":                 "members are read one by one; of structs that hold anything else it is known which may be",
	"move the assignment to the end of the time loop, or use ..":            "an assignment to a pointer in a nest is found before, with other words",
	"--strategy=auto takes boxes of space":                                  "a remark that depends on the model: strategy.txtar shows what it leads to",
	"--strategy=hybrid tiles time too; --grid tells sizes that are typical": "a remark that depends on the model: strategy.txtar shows what it leads to",
	"--strategy=auto takes plain loops":                                     "a remark that depends on the model: TestPlainLoopsFaster of the root package shows it",
	"--strategy=space tiles space; --grid tells sizes that are typical":     "a remark that depends on the model",
	"--strategy=space makes each nest a phase, as boxes; --grid tells sizes that are typical":                "a remark that depends on the model: TestOverlappedOnCPU of the root package shows it",
	"--strategy=space makes each nest a launch, as boxes; --grid tells sizes that are typical":               "a remark that depends on the model: TestOverlappedChosen of the root package shows it",
	"hexcc help strategies says what else there is":                                                          "a remark that depends on the model",
	"--grid tells sizes that are typical, if they are others; hexcc help strategies says what else there is": "a remark that depends on the model",
	"where another order will do, hexagons run faster: ..":                                                   "strategy.txtar shows it; behind it are the helps of HX201",
	"ask for a smaller pipeline with --pipeline, or for ..":                                                  "it takes an OpenCL device that is too small",
	"--kernel=tiles makes kernels that need no sub-groups":                                                   "it takes an OpenCL device: TestSubGroups of opencl/device has them",
	"where one does not hold the program does what --on-violated..":                                          "facts-together.txtar",
	"leave --launch=ready out":                                                              "strategy.txtar",
	"leave --kernel=streaming out, or take another strategy":                                "the command line is refused before; the Go API can ask for it",
	"--kernel=tiles leaves the other kernel out; hexcc -v says what sizes cost":             "of a proof that cannot be decided: TestBackToTiles of the root package shows it",
	"split what is nested":                                                                  "crashes.txtar shows it, in another line",
	"take smaller sizes, less of the file (--region)..":                                     "crashes.txtar shows it, in another line",
	"set a larger limit by ulimit -t..":                                                     "crashes.txtar shows it, in another line",
	"--log=FILE names another log; --force..":                                               "tune.txtar",
	"give smaller sizes with -DNAME=V, or more time with --budget":                          "tune.txtar",
	"--dry-run ranks candidates by the model, and runs nothing; --target=..":                "tune.txtar",
	"hexcc tune runs the function around the region: it must compile with the..":            "tune.txtar",
	"give other sizes with -DNAME=V":                                                        "tune.txtar",
	"hexcc tune --save=FILE measures it; a result..":                                        "tune.txtar",
	"wait until it has ended, or name another log with --log=FILE":                          "tune.txtar",
	"hexcc tune --save=FILE writes such files":                                              "tune.txtar",
	"hexcc tune --save=FILE measures on this machine..":                                     "tune.txtar",
	"name one of them with --base":                                                          "profile.txtar",
	"profile a program with a translation of this file, or with --kernel-name=regex:hexcc_": "profile.txtar",
	"give hexcc profile the flags with which the program was translated":                    "profile.txtar",
	"name the region with --region, or take all of the file":                                "profile.txtar",
	"profile a run that launches the kernels":                                               "profile.txtar",
	"a file that was cut is of no use: profile again":                                       "profile.txtar",
	"what is read is what ncu --csv prints with --page raw..":                               "profile.txtar",
	"profile again with LC_ALL=C":                                                           "profile.txtar",
	"remove it":                                                                             "rows show it where statements do nothing; a return in the middle of a loop is refused with other words before",
}

// TestHelps checks that each program gets its help, and that the program with the help applied is accepted.
func TestHelps(t *testing.T) {
	var given []jsonHelp
	for i, row := range helpRows(t) {
		t.Run(row.at, func(t *testing.T) {
			status, said := row.run(t, ' ')
			pattern := whole(strings.ReplaceAll(regexp.QuoteMeta(row.help), `\.\.`, "(.*)"))
			k := slices.IndexFunc(said, func(h jsonHelp) bool {
				return h.Code == row.code && (h.Help == row.help || pattern.MatchString(h.Help))
			})
			require.GreaterOrEqual(t, k, 0, "it gets no help %q, but %v\n%s", row.help, said, row.text(' ', "s.c"))
			given = append(given, said...)
			if !slices.ContainsFunc(said, func(h jsonHelp) bool { return h.Code == row.code && h.Severity == "error" }) {
				require.Zero(t, status)
			}
			if m := pattern.FindStringSubmatch(said[k].Help); len(m) > 1 {
				for way, c := range row.commands {
					row.commands[way] = strings.ReplaceAll(c, "{}", m[1])
				}
			}
			if !cases.Due(i, cases.Rounds) {
				return
			}
			for _, way := range row.ways() {
				status, said := row.run(t, way)
				assert.Zero(t, status, "%q is not accepted: %v\n%s", row.help, said, row.text(way, "s.c"))
			}
		})
	}
	if t.Failed() {
		return
	}
	var missing []string
	for _, site := range helpSites(t, "../..") {
		shown := slices.ContainsFunc(given, func(h jsonHelp) bool { return site.gives(h.Code, h.Message, h.Help) })
		if !shown && !site.isElsewhere(t) {
			missing = append(missing, site.String())
		}
	}
	assert.Empty(t, missing, "no row of %s gets these", helpsFolder)
}

// isElsewhere reports whether helpsElsewhere has s, in a script that shows it.
func (s helpSite) isElsewhere(t *testing.T) bool {
	said := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(s.help.String(), "(?s)^(?:"), ")$"), `\`, "")
	for what, where := range helpsElsewhere {
		begin, more := strings.CutSuffix(what, "..")
		if said != begin && !(more && strings.HasPrefix(said, begin)) {
			continue
		}
		if strings.HasSuffix(where, ".txtar") {
			text, err := os.ReadFile(filepath.Join("testdata/script", where))
			require.NoError(t, err)
			assert.Contains(t, strings.ReplaceAll(string(text), `\`, ""), "help: "+begin, where)
		}
		return true
	}
	return false
}

// helpRows reads the files.
func helpRows(t *testing.T) (rows []helpRow) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(helpsFolder, "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			title, isTitle := strings.CutPrefix(line, "## ")
			if isTitle {
				code, help, _ := strings.Cut(title, " ")
				rows = append(rows, helpRow{fmt.Sprintf("%s:%d", filepath.Base(path), i+1), code, help, map[byte]string{' ': "hexcc s.c"}, nil})
				continue
			}
			require.NotEmpty(t, rows, path)
			row := &rows[len(rows)-1]
			if strings.HasPrefix(line, "$") {
				row.commands[line[1]] = strings.TrimSpace(line[2:])
			} else if line != "" {
				row.lines = append(row.lines, line)
			}
		}
	}
	return rows
}

// ways returns what the lines of the mended programs of r begin with.
func (r helpRow) ways() (ways []byte) {
	for _, way := range []byte("+=*") {
		_, command := r.commands[way]
		if command || slices.ContainsFunc(r.lines, func(l string) bool { return l[0] == way }) {
			ways = append(ways, way)
		}
	}
	if ways == nil {
		return []byte{'+'} // lines that are left out
	}
	return ways
}

// text returns a file of r, mended in a way, or as it is where that is ' '.
func (r helpRow) text(way byte, name string) string {
	var lines []string
	file := "s.c"
	for _, l := range r.lines {
		switch {
		case l[0] == '@':
			file = strings.TrimSpace(l[1:])
		case file != name:
		case l[0] == ' ', l[0] == '-' && way == ' ', l[0] == way:
			lines = append(lines, l[1:])
		}
	}
	text := strings.Join(lines, "\n") + "\n"
	if name != "s.c" || strings.Contains(text, "#pragma") || strings.Contains(text, "_Pragma") {
		return text
	}
	outside, before, body := "", "", text
	switch parts := strings.Split(text, "---\n"); len(parts) {
	case 2:
		outside, body = parts[0], parts[1]
	case 3:
		outside, before, body = parts[0], parts[1], parts[2]
	}
	return outside + "void f(int T, int n, int m, double A[restrict 2][n], double B[restrict n], double C[restrict n], double D[restrict n][n])\n{\n" +
		before + "#pragma scop\n  for (int t = 0; t < T; t++) {\n" + body + "  }\n#pragma endscop\n}\n"
}

// A jsonHelp is a diagnostic, as far as it matters here.
type jsonHelp struct{ Severity, Code, Message, Help string }

// run runs the command of r in a folder with its files, mended in a way.
func (r helpRow) run(t *testing.T, way byte) (status int, said []jsonHelp) {
	t.Helper()
	t.Chdir(t.TempDir())
	files := map[string]bool{"s.c": true}
	for _, l := range r.lines {
		if l[0] == '@' {
			files[strings.TrimSpace(l[1:])] = true
		}
	}
	for name := range files {
		require.NoError(t, os.WriteFile(name, []byte(r.text(way, name)), 0o666))
	}
	command, ok := r.commands[way]
	if !ok {
		command = r.commands[' ']
	}
	words, err := splitWords(command)
	require.NoError(t, err)
	var stdout, stderr strings.Builder
	status = run(append(words[1:], "-fdiagnostics-format=json"), &stdout, &stderr)
	if stderr.Len() > 0 {
		require.NoError(t, json.Unmarshal([]byte(stderr.String()), &said), stderr.String())
	}
	return status, said
}
