package crun

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file times regions in the program around them: as often as asked for, each time on a fresh copy of the same input, and compares
// what each run leaves with what the first program of all has left.

// OwnSeconds is a macro of C. Where the source defines it, it is an expression for the seconds that the call took which has just ended, and they count in
// place of those of the clock: kernels know how long they ran, without the copies around them.
const OwnSeconds = "CRUN_OWN_SECONDS"

// A Timed is the C program of one region, whose runs are timed.
type Timed struct {
	region *scop.Program
	path   string
	// Env are variables, as in NAME=VALUE, that it runs with besides those of this process.
	Env []string
}

// CompileTimed is Compile for a program to be timed, with the given flags and no others, until ctx ends.
func CompileTimed(ctx context.Context, cc, dir string, region *scop.Program, source []byte, flags ...string) (*Timed, error) {
	b := &Timed{region: region, path: filepath.Join(dir, "prog")}
	return b, compile(ctx, cc, dir, []*scop.Program{region}, source, timer(region), flags)
}

// An Image is the input of timed runs, in a file, and what the original program makes of it.
type Image struct {
	Input
	dir string
	// talks: the original program says something by itself.
	talks bool
}

// NewImage writes the image of an input to dir.
func NewImage(in Input, dir string) (*Image, error) {
	file, err := os.Create(filepath.Join(dir, "image"))
	if err != nil {
		return nil, err
	}
	return &Image{Input: in, dir: dir}, errors.Join(in.write(file), file.Close())
}

func (m *Image) file() string { return filepath.Join(m.dir, "image") }
func (m *Image) want() string { return filepath.Join(m.dir, "want") }

// A RunError is that a program fails, or says something that it should not.
type RunError struct {
	Says string // on both streams
	err  error
}

func (e *RunError) Error() string { return e.err.Error() }
func (e *RunError) Unwrap() error { return e.err }

// ErrSays is that a program says something where the original one does not: what it tests does not hold, so that the original loops have run.
var ErrSays = errors.New("it says something")

// A Repeat says how often a program runs: Runs times, short ones more often, until Seconds have gone into them, but at most Most times; at least once, and no more once Enough seconds have
// gone into it.
type Repeat struct {
	Runs, Most      int
	Seconds, Enough float64
}

// Run runs the region as often as is asked for, and returns what each run took.
// The results of the first program that runs on an image are what is expected of all others; the difference is that of the first run whose results are others.
func (b *Timed) Run(ctx context.Context, m *Image, often Repeat) (seconds []float64, d scop.Difference, err error) {
	dir, err := os.MkdirTemp(m.dir, "run-")
	if err != nil {
		return nil, d, err
	}
	defer os.RemoveAll(dir)
	got, report, want := filepath.Join(dir, "got"), filepath.Join(dir, "report"), m.want()
	if _, err := os.Stat(want); errors.Is(err, os.ErrNotExist) {
		want = ""
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	cmd := grouped(ctx, b.path, m.file(), want, got, report, strconv.Itoa(often.Runs), strconv.Itoa(often.Most), number(often.Seconds), number(often.Enough))
	cmd.Env = append(cmd.Environ(), b.Env...)
	says, err := cmd.CombinedOutput()
	if err != nil {
		return nil, d, &RunError{string(says), err}
	}
	text, err := os.ReadFile(report)
	if err != nil {
		return nil, d, err
	}
	for word := range strings.FieldsSeq(string(text)) {
		if word == "differs" {
			if d, err = m.compare(got); err != nil {
				return nil, d, err
			}
			continue
		}
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, d, fmt.Errorf("crun: a driver reports %q", text)
		}
		seconds = append(seconds, x)
	}
	if want == "" {
		m.talks = len(says) > 0
		return seconds, d, os.Rename(got, m.want())
	}
	if len(says) > 0 && (!m.talks || strings.Contains(string(says), "it does not hold that")) {
		return nil, d, &RunError{string(says), ErrSays}
	}
	return seconds, d, nil
}

// compare compares results with those expected, element by element: numbers that are none may have other bits.
func (m *Image) compare(got string) (d scop.Difference, err error) {
	var all [2]*scop.Memory
	for i, name := range []string{got, m.want()} {
		data, err := os.ReadFile(name)
		if err != nil {
			return d, err
		}
		all[i] = m.Clone()
		if rest := take(all[i], data); len(rest) > 0 {
			return d, fmt.Errorf("%d bytes left over", len(rest))
		}
	}
	var local []*scop.Array
	for _, a := range m.Program.Arrays {
		if a.Local {
			local = append(local, a)
		}
	}
	return all[0].Compare(all[1], local...), nil
}

// onPages is placing at pages, as cache lines of tiles begin where those of arrays do.
var onPages = strings.Replace(placing, "(char *)malloc(size + place[1] + 1);", "(char *)hxpages(size + place[1] + 1);", 1)

// pages is C: it gives memory at a page, and the time.
const pages = `#include <time.h>
static void *hxowned[1000];
static int hxowns, hxdiffers;
static FILE *hxwant, *hxgot;
static double hxtook, hxspent;
static void *hxpages(size_t size) {
  void *p = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
  if (!p) exit(4);
  return hxowned[hxowns++] = p;
}
static double hxnow(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
static void hxcheck(const void *p, size_t size) {
  static char part[1 << 16];
  for (size_t at = 0; at < size && !hxdiffers; at += sizeof part) {
    size_t n = size - at < sizeof part ? size - at : sizeof part;
    if (fread(part, 1, n, hxwant) != n) exit(5);
    hxdiffers = memcmp(part, (const char *)p + at, n) != 0;
  }
}`

// timer returns a main that reads an image, calls the function and compares its arrays, again and again.
func timer(p *scop.Program) []byte {
	var b bytes.Buffer
	say := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	begin(say, []*scop.Program{p}, pages+"\n"+onPages)
	var results [][2]string
	say("static void hxrun(void) {\n  hxcount = 0;")
	driveOne(say, p, p.Signature.Names(), ending{
		call: func(call string) {
			say("  hxspent = hxnow();\n  %s\n  hxtook = hxspent = hxnow() - hxspent;", call)
			say("#ifdef %s\n  hxtook = %s;\n#endif", OwnSeconds, OwnSeconds)
		},
		result: func(array, size string) { results = append(results, [2]string{array, size}) },
		ended: func() {
			say("  if (hxwant) {\n    rewind(hxwant);")
			for _, r := range results {
				say("    hxcheck(%s, %s);", r[0], r[1])
			}
			say("  }\n  if (hxgot && (!hxwant || hxdiffers)) {")
			for _, r := range results {
				say("    fwrite(%s, 1, %s, hxgot);", r[0], r[1])
			}
			say("    if (fclose(hxgot)) exit(6);\n    hxgot = 0;\n  }\n  while (hxowns > 0) free(hxowned[--hxowns]);")
		},
	})
	say("}")
	say("%s", timerMain)
	return b.Bytes()
}

// timerMain is C. Its arguments are the image, the results expected, where to write others, where to report, and what a Repeat has.
const timerMain = `int main(int argc, char **argv) {
  double all = 0;
  int told = 0;
  hxfile = fopen(argv[1], "rb");
  if (*argv[2]) hxwant = fopen(argv[2], "rb");
  hxgot = fopen(argv[3], "wb");
  FILE *report = fopen(argv[4], "w");
  if (!hxfile || *argv[2] && !hxwant || !hxgot || !report) return 7;
  int runs = atoi(argv[5]), most = atoi(argv[6]);
  double least = atof(argv[7]), enough = atof(argv[8]);
  for (int k = 0; k == 0 || (k < runs || k < most && all < least) && all < enough; k++) {
    rewind(hxfile);
    hxrun();
    all += hxspent;
    fprintf(report, "%.9f\n", hxtook);
    if (hxdiffers && !told) told = fprintf(report, "differs\n");
  }
  return fclose(report);
}`

// Output runs a command in a folder until ctx ends, and returns what it says on both streams.
func Output(ctx context.Context, dir, name string, args ...string) (says string, err error) {
	cmd := grouped(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}
