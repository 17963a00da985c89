package hexcc

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hexcc/hexcc/schedule"
)

// This file tests that a region that is taken from a store is what would have been made of it, and that none is taken for another.

// memory is a store, which counts.
type memory struct {
	sync.Mutex
	kept  map[string][]byte
	found int
}

func (m *memory) Get(key string) []byte {
	m.Lock()
	defer m.Unlock()
	if m.kept[key] != nil {
		m.found++
	}
	return m.kept[key]
}

func (m *memory) Put(key string, data []byte) {
	m.Lock()
	defer m.Unlock()
	m.kept[key] = data
}

// storedSource has two regions, one with facts that are tested and with what the original loops are where they fail.
const storedSource = `#include <math.h>
#define W 0.25f
typedef float real;
static int unrelated(int x)
{
  return x + 1;
}
void heat(int n, int steps, real a[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      a[(t + 1) % 2][i] = W * (a[t % 2][i - 1] + sqrtf(a[t % 2][i + 1]));
#pragma endscop
}
void smooth(int n, real *u, real *v)
{
#pragma scop
  for (int i = 1; i < n - 1; i++)
    v[i] = u[i - 1] + u[i + 1];
  for (int i = 1; i < n - 1; i++)
    u[i] = v[i];
#pragma endscop
}
`

// storedOptions are those with which regions are kept.
func storedOptions(s Store) Options {
	return Options{Target: C, FilesOnly: true, Store: s}
}

// made returns all that is written and said.
func madeOf(t *testing.T, text string, o Options) string {
	t.Helper()
	res, err := Compile(Source{Name: "dir/s.c", Text: []byte(text)}, o)
	if err != nil {
		t.Fatal(err)
	}
	out := res.C.Text + fmt.Sprint(res.C.Apart(), res.C.Spans)
	for _, w := range res.Warnings {
		out += fmt.Sprintf("%v %+v %s %v\n", w, w.At, w.Help, w.Notes)
	}
	return out
}

func TestStoredRegionsAreThose(t *testing.T) {
	change := func(old, new string) string {
		if !strings.Contains(storedSource, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(storedSource, old, new, 1)
	}
	tile := &schedule.Sizes{H: 3, W: []int64{5}}
	for _, test := range []struct {
		name, text string
		found      int // regions that are the same
		options    func(*Options)
	}{
		{name: "again", text: storedSource, found: 2},
		{name: "another function", text: change("x + 1", "x + 2"), found: 2},
		{name: "lines in front", text: "/* a\n\n b */\n" + storedSource, found: 2},
		{name: "a line between", text: change("void smooth", "int other;\nvoid smooth"), found: 2},
		{name: "behind", text: storedSource + "int last;\n", found: 2},
		{name: "a macro", text: change("0.25f", "0.5f"), found: 1},
		{name: "a type", text: change("float real", "double real"), found: 0},
		{name: "a bound", text: change("i < n - 1; i++)\n      a", "i < n - 2; i++)\n      a"), found: 1},
		{name: "a subscript", text: change("u[i - 1]", "u[i]"), found: 1},
		{name: "an operation", text: change("u[i - 1] + u", "u[i - 1] - u"), found: 1},
		{name: "a name", text: strings.ReplaceAll(change("real *u,", "real *w,"), "u[", "w["), found: 1},
		{name: "restrict", text: change("real *u,", "real *restrict u,"), found: 1},
		{name: "a comment inside", text: change("v[i];", "v[i]; /* new */"), found: 1},
		{name: "a line inside", text: change("  for (int i = 1; i < n - 1; i++)\n    u", "\n  for (int i = 1; i < n - 1; i++)\n    u"), found: 1},
		{name: "the other function's name", text: change("void smooth", "void soft"), found: 1},
		{name: "a region less", text: strings.Replace(strings.Replace(change("#pragma scop\n  for (int t", "  for (int t"), "#pragma endscop", "", 1), "int unrelated", "int unrelated", 1), found: 0}, // the other is the first now
		{name: "sizes", text: storedSource, options: func(o *Options) { o.Tile = tile }},
		{name: "threads", text: storedSource, options: func(o *Options) { o.Target = OpenMP }},
		{name: "refuse", text: storedSource, options: func(o *Options) { o.Refuse = true }},
		{name: "the name of the file", text: storedSource, options: func(o *Options) { o.Base = "x" }},
		{name: "a strategy", text: storedSource, options: func(o *Options) { o.Strategy = Space }},
		{name: "macros of the command line", text: storedSource, options: func(o *Options) { o.Defines = []string{"HEXCC_ONCE=1"} }},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := &memory{kept: maps.Clone(storedOnce(t))}
			o := storedOptions(m)
			if test.options != nil {
				test.options(&o)
			}
			got := madeOf(t, test.text, o)
			o.Store = nil
			if want := madeOf(t, test.text, o); got != want {
				t.Errorf("another translation than without a store:\n%s\nwant\n%s", got, want)
			}
			if m.found != test.found {
				t.Errorf("%d regions were taken from the store, want %d", m.found, test.found)
			}
		})
	}
}

// storedOnce returns what is kept of storedSource.
var storedOnce = func() func(t *testing.T) map[string][]byte {
	var kept map[string][]byte
	return func(t *testing.T) map[string][]byte {
		t.Helper()
		if kept == nil {
			m := &memory{kept: map[string][]byte{}}
			if madeOf(t, storedSource, storedOptions(m)); len(m.kept) != 2 || m.found != 0 {
				t.Fatalf("%d regions are kept, and %d were taken", len(m.kept), m.found)
			}
			kept = m.kept
		}
		return kept
	}
}()

func TestStoreThatIsBroken(t *testing.T) {
	m := &memory{kept: maps.Clone(storedOnce(t))}
	for k := range m.kept {
		m.kept[k] = []byte("no region")
	}
	if got, want := madeOf(t, storedSource, storedOptions(m)), madeOf(t, storedSource, storedOptions(nil)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	o := storedOptions(&memory{kept: map[string][]byte{}})
	if _, err := Compile(Source{Name: "bad.c", Text: []byte(strings.Replace(storedSource, "u[i + 1]", "u[i * i]", 1))}, o); err == nil {
		t.Fatal("no error")
	}
	if n := len(o.Store.(*memory).kept); n != 0 { // what is wrong with one region stops the others
		t.Logf("%d regions are kept of a file with mistakes", n)
	}
}

func TestDigestsDiffer(t *testing.T) {
	type list struct {
		Next *list
		N    int
	}
	shared, one := &list{N: 1}, &list{N: 1}
	ring := &list{N: 2}
	ring.Next = ring
	seen := map[string]string{}
	for _, v := range []any{
		1, int64(1), "1", []int{1}, []int{1, 0}, []int(nil), []int{}, [1]int{1}, true, false, 1.5, 0.0, map[string]int{"a": 1, "b": 2}, map[string]int{"a": 2, "b": 1}, (*list)(nil),
		list{N: 1}, &list{N: 1}, []*list{shared, shared}, []*list{shared, one}, ring, []any{1, "1"}, []any{"1", 1}, []string{"ab", ""}, []string{"a", "b"}, []string{"", "ab"}, []byte("ab"), nil,
	} {
		key := newDigest("", 0).of(v)
		if text := fmt.Sprintf("%T %+v", v, v); key == "" || seen[key] != "" {
			t.Errorf("%s and %s have one digest", text, seen[key])
		} else {
			seen[key] = text
		}
		if again := newDigest("", 0).of(v); again != key {
			t.Errorf("%v has two digests", v)
		}
	}
	if key := newDigest("", 0).of(func() {}); key != "" {
		t.Error("a function has a digest")
	}
	if key := newDigest("", 0).of(Options{hard: func(string, Strategy, schedule.Sizes) bool { return true }}); key != "" {
		t.Error("options with a function have a digest")
	}
}

// What is left out of keys are fields by name: they must be there.
func TestFieldsWithoutPlace(t *testing.T) {
	for _, name := range withoutPlace {
		if _, ok := programType.FieldByName(name); !ok {
			t.Errorf("a program has no %s", name)
		}
	}
	if n := programType.NumField(); n < len(withoutPlace)+10 {
		t.Errorf("%d fields", n)
	}
	var fields []string
	for i := range regionType.NumField() {
		fields = append(fields, regionType.Field(i).Name)
	}
	if want := []string{"Start", "End", "StartLine", "EndLine", "Index"}; !slices.Equal(fields, want) || reflect.TypeFor[Region]() == regionType {
		t.Errorf("a region has %v, and digests know %v", fields, want)
	}
}
