// Package golden compares what passes make with the sections of text archives,
// one archive for each case. For tests only.
package golden

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Update rewrites the sections instead of comparing them: go test -update.
var Update = flag.Bool("update", false, "rewrite golden sections")

// A Case is one archive under test.
type Case struct {
	Name    string // file name without folder and extension
	t       *testing.T
	archive *txtar.Archive
	checked map[string]bool
	changed bool
}

// Run runs f as a subtest for each archive that glob matches. A section other
// than inputs (names with a dot) that f did not check fails the test, so that a
// misspelt name cannot pass, unless others claim it.
func Run(t *testing.T, glob string, claimed []string, f func(*testing.T, *Case)) {
	paths, err := filepath.Glob(glob)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no case matches %s (%v)", glob, err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		t.Run(name, func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c := &Case{Name: name, t: t, archive: archive, checked: map[string]bool{}}
			f(t, c)
			c.finish(path, claimed)
		})
	}
}

// Input returns the section called name, which must be there.
func (c *Case) Input(name string) []byte {
	c.t.Helper()
	if i := c.find(name); i >= 0 {
		return c.archive.Files[i].Data
	}
	c.t.Fatalf("%s: no section %s", c.Name, name)
	return nil
}

// Check compares got with the section of that name, if the case has one.
func (c *Case) Check(section, got string) {
	c.t.Helper()
	c.checked[section] = true
	i := c.find(section)
	if i < 0 {
		return
	}
	got = strings.TrimRight(got, "\n") + "\n"
	want := string(c.archive.Files[i].Data)
	if got == want {
		return
	}
	if *Update {
		c.archive.Files[i].Data = []byte(got)
		c.changed = true
		return
	}
	c.t.Errorf("section %s differs (go test -update rewrites it):\n%s", section, firstDifference(want, got))
}

func (c *Case) find(name string) int {
	for i, f := range c.archive.Files {
		if f.Name == name {
			return i
		}
	}
	return -1
}

func (c *Case) finish(path string, claimed []string) {
	c.t.Helper()
	for _, f := range c.archive.Files {
		if strings.Contains(f.Name, ".") || c.checked[f.Name] || slices.Contains(claimed, f.Name) {
			continue
		}
		c.t.Errorf("%s: nothing produced section %s", c.Name, f.Name)
	}
	if c.changed {
		if err := os.WriteFile(path, txtar.Format(c.archive), 0o644); err != nil {
			c.t.Fatal(err)
		}
	}
}

// firstDifference shows the first line where want and got part, with what leads to it.
func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	n := 0
	for n < len(w) && n < len(g) && w[n] == g[n] {
		n++
	}
	var b bytes.Buffer
	for _, line := range w[max(0, n-2):n] {
		b.WriteString("    " + line + "\n")
	}
	show := func(mark string, lines []string) {
		for _, line := range lines[min(n, len(lines)):min(n+4, len(lines))] {
			b.WriteString(mark + line + "\n")
		}
	}
	show("  - ", w)
	show("  + ", g)
	return b.String()
}
