// Package cases holds the C programs that tests translate: the archives of testdata,
// its idioms, and texts that try what those do not. It knows nothing of what
// becomes of them. For tests only.
package cases

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// File returns the path of a file of the repository, such as testdata, from
// whatever package the test runs in.
func File(t testing.TB, name string) string {
	t.Helper()
	dir := "."
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, name)
		}
		if abs, err := filepath.Abs(dir); err != nil || filepath.Dir(abs) == abs {
			t.Fatalf("no go.mod above: where is %s?", name)
		}
		dir = filepath.Join(dir, "..")
	}
}

// A Case is a stencil of testdata: the input.c of NAME.txtar.
type Case struct{ Name, Text string }

// All returns all cases, by name.
func All(t testing.TB) []Case {
	t.Helper()
	var all []Case
	for _, path := range files(t, "testdata/*.txtar") {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		all = append(all, Case{name, Input(t, name)})
	}
	return all
}

// telling are cases one of each kind: of one to three dimensions, with one statement and with several, in one
// array and in several. twins are much like two of them.
var (
	telling = []string{"asymmetric", "fdtd-2d", "heat-3d", "jacobi-1d", "life", "rician-2d", "wave-2d"}
	twins   = []string{"em-2d", "jacobi-2d"}
)

// Whole reports whether tests are to try all that they can: where CI=true or HEXCC_TESTS=all is in the environment.
func Whole() bool { return os.Getenv("CI") == "true" || Every() }

// Every reports whether tests are to try what CI leaves to other tests, too: where HEXCC_TESTS=all is in the environment.
func Every() bool { return os.Getenv("HEXCC_TESTS") == "all" }

// InTurns reports whether what is tried takes turns with what else there is: in CI, unless HEXCC_TESTS=all.
func InTurns() bool { return Whole() && !Every() }

// Turn returns all, or where tests are InTurns only the one whose turn is number n.
func Turn[T any](all []T, n int) []T {
	if !InTurns() {
		return all
	}
	n %= len(all)
	return all[n : n+1]
}

// Round is the number of the round of what CI tries by turns: HEXCC_ROUND in the environment, which .ci/run takes from the name of the commit; 0 without it.
func Round() int {
	n, _ := strconv.Atoi(os.Getenv("HEXCC_ROUND"))
	return max(n, 0)
}

// Rounds is in how many rounds CI tries most of what takes long: of cases that a test runs one by one a quarter each.
const Rounds = 4

// Due reports whether number i of what takes long is tried: where tests are InTurns, in one of so many rounds; always otherwise.
func Due(i, rounds int) bool { return !InTurns() || (i+Round())%rounds == 0 }

// Level returns the level of optimization, such as -O2, for C that takes compilers long, where tests are Whole, -O1 only with HEXCC_TESTS=all:
// it shows little that neither -O0 nor -O2 does. Otherwise it is -O0, which takes them a third of the time.
func Level(level string) string {
	if Every() || Whole() && level != "-O1" {
		return level
	}
	return "-O0"
}

// Some returns all cases where tests are Whole, and otherwise one of each kind: for what takes long.
func Some(t testing.TB) []Case {
	t.Helper()
	if Whole() {
		return All(t)
	}
	return Telling(t)
}

// Telling returns a case of each kind, or two where tests are Whole: for what takes too long for all cases.
func Telling(t testing.TB) []Case {
	t.Helper()
	return slices.DeleteFunc(All(t), func(c Case) bool {
		return !slices.Contains(telling, c.Name) && !(Whole() && slices.Contains(twins, c.Name))
	})
}

// Each runs f as a subtest for the cases of Some.
func Each(t *testing.T, f func(t *testing.T, name, text string)) {
	t.Helper()
	for _, c := range Some(t) {
		t.Run(c.Name, func(t *testing.T) { f(t, c.Name, c.Text) })
	}
}

// EachNth is Each, but in CI for every n-th case, from number first on, in one of the Rounds, unless HEXCC_TESTS=all.
func EachNth(t *testing.T, n, first int, f func(t *testing.T, name, text string)) {
	t.Helper()
	for i, c := range Some(t) {
		if i%n == first && Due(i/n, Rounds) || !InTurns() {
			t.Run(c.Name, func(t *testing.T) { f(t, c.Name, c.Text) })
		}
	}
}

// Input returns the input.c of a case.
func Input(t testing.TB, name string) string {
	t.Helper()
	archive, err := txtar.ParseFile(File(t, "testdata/"+name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		if file.Name == "input.c" {
			return string(file.Data)
		}
	}
	t.Fatalf("%s has no input.c", name)
	return ""
}

// An Idiom is a program of testdata/idioms, which writes a stencil in a way that people do.
type Idiom struct {
	Name, Path, Text string
	Number           int        // in the order of names
	Runs             [][]string // the arguments to run it with, of its comment // RUN
	GCC              bool       // clang gives it another meaning, by its comment // GCC
	Violated         []string   // facts that do not hold in some runs, of its comments // VIOLATED: the original loops run there
}

var (
	runLine      = regexp.MustCompile(`(?m)^// RUN (.*)$`)
	gccLine      = regexp.MustCompile(`(?m)^// GCC$`)
	violatedLine = regexp.MustCompile(`(?m)^// VIOLATED (.*)$`)
)

// EachIdiom runs f for every idiom as a subtest, in parallel; where tests are not Whole, for every fourth.
func EachIdiom(t *testing.T, f func(t *testing.T, x Idiom)) {
	t.Helper()
	eachIdiom(t, func(i int) bool { return (i%4 == 0 || Whole()) && Due(i, Rounds) }, f)
}

// EachNthIdiom is EachIdiom but for every n-th idiom, from number first on, unless HEXCC_TESTS=all: targets that run one IR share
// them.
func EachNthIdiom(t *testing.T, n, first int, f func(t *testing.T, x Idiom)) {
	t.Helper()
	eachIdiom(t, func(i int) bool {
		if !Whole() {
			return i%4 == 0
		}
		return i%n == first && Due(i/n, Rounds) || Every()
	}, f)
}

func eachIdiom(t *testing.T, tried func(i int) bool, f func(t *testing.T, x Idiom)) {
	t.Helper()
	for i, path := range files(t, "testdata/idioms/*.c") {
		if !tried(i) {
			continue
		}
		x := ReadIdiom(t, strings.TrimSuffix(filepath.Base(path), ".c"))
		x.Number = i
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			f(t, x)
		})
	}
}

// EachCPUIdiom runs f for every idiom of which only text for CPUs has the types, as a subtest, in parallel.
func EachCPUIdiom(t *testing.T, f func(t *testing.T, x Idiom)) {
	t.Helper()
	for _, path := range files(t, "testdata/idioms/cpu/*.c") {
		x := readIdiom(t, "cpu/"+strings.TrimSuffix(filepath.Base(path), ".c"), ".c")
		x.Name = filepath.Base(x.Name)
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			f(t, x)
		})
	}
}

// EachCxxOnCPU runs f for every idiom in C++ of which only text for CPUs has the types, as a subtest, in parallel.
func EachCxxOnCPU(t *testing.T, f func(t *testing.T, x Idiom)) {
	t.Helper()
	for _, path := range files(t, "testdata/idioms/cpu/*.cpp") {
		x := ReadCxx(t, "cpu/"+strings.TrimSuffix(filepath.Base(path), ".cpp"))
		x.Name = filepath.Base(x.Name)
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			f(t, x)
		})
	}
}

// EachCxx runs f for every idiom in C++ as a subtest, in parallel, in CI for those whose round it is; where tests are not Whole, for two.
func EachCxx(t *testing.T, f func(t *testing.T, x Idiom)) {
	t.Helper()
	for i, path := range files(t, "testdata/idioms/*.cpp") {
		if i > 1 && !Whole() || !Due(i, Rounds) {
			continue
		}
		x := ReadCxx(t, strings.TrimSuffix(filepath.Base(path), ".cpp"))
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			f(t, x)
		})
	}
}

// ReadIdiom returns the idiom of that name.
func ReadIdiom(t testing.TB, name string) Idiom {
	t.Helper()
	return readIdiom(t, name, ".c")
}

// ReadCxx returns the idiom in C++ of that name.
func ReadCxx(t testing.TB, name string) Idiom {
	t.Helper()
	return readIdiom(t, name, ".cpp")
}

func readIdiom(t testing.TB, name, end string) Idiom {
	t.Helper()
	x := Idiom{Name: name, Path: File(t, "testdata/idioms/"+name+end)}
	text, err := os.ReadFile(x.Path)
	if err != nil {
		t.Fatal(err)
	}
	runs := runLine.FindSubmatch(text)
	if runs == nil {
		t.Fatalf("%s has no // RUN line", x.Path)
	}
	for run := range strings.SplitSeq(string(runs[1]), "|") {
		x.Runs = append(x.Runs, strings.Fields(run))
	}
	x.GCC = gccLine.Match(text)
	for _, fact := range violatedLine.FindAllSubmatch(text, -1) {
		x.Violated = append(x.Violated, string(fact[1]))
	}
	x.Text = string(text)
	return x
}

// files returns the files of the repository that glob matches. There must be one.
func files(t testing.TB, glob string) []string {
	t.Helper()
	paths, err := filepath.Glob(File(t, glob))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s matches nothing (%v)", glob, err)
	}
	return paths
}

// EachInPlace runs f for every program of testdata/wavefront, whose space loops carry dependences, as a subtest, in parallel.
func EachInPlace(t *testing.T, f func(t *testing.T, name, text string)) {
	t.Helper()
	eachFile(t, "testdata/wavefront/*.c", 1, f)
}

// InPlaceInTurns is EachInPlace, but in CI for those whose round it is: for what takes long.
func InPlaceInTurns(t *testing.T, f func(t *testing.T, name, text string)) {
	t.Helper()
	eachFile(t, "testdata/wavefront/*.c", Rounds, f)
}

// EachSwept runs f for every program of testdata/sweeps, whose nests carry dependences along one loop each, there and back, as a subtest, in parallel.
func EachSwept(t *testing.T, f func(t *testing.T, name, text string)) {
	t.Helper()
	eachFile(t, "testdata/sweeps/*.c", 1, f)
}

// SweptInTurns is EachSwept, but in CI for those whose round it is: for what takes long.
func SweptInTurns(t *testing.T, f func(t *testing.T, name, text string)) {
	t.Helper()
	eachFile(t, "testdata/sweeps/*.c", Rounds, f)
}

// eachFile runs f for the C files of the repository that glob matches, in CI for those whose round it is, of so many.
func eachFile(t *testing.T, glob string, rounds int, f func(t *testing.T, name, text string)) {
	t.Helper()
	for i, path := range files(t, glob) {
		if !Due(i, rounds) {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(path), ".c")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, name, string(text))
		})
	}
}
