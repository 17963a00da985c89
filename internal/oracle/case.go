package oracle

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/scop"
)

// Cases returns the program of each archive NAME.txtar in dir that holds an
// input.c which the front end takes, by NAME. There must be one.
func Cases(t testing.TB, dir string) map[string]*scop.Program {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	cases := map[string]*scop.Program{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if f.Name == "input.c" {
				name := strings.TrimSuffix(filepath.Base(file), ".txtar")
				cases[name] = parse(t, name, f.Data)
			}
		}
	}
	return cases
}

func parse(t testing.TB, name string, text []byte) *scop.Program {
	t.Helper()
	res, err := frontend.Parse(frontend.Source{Name: name + ".c", Text: text}, frontend.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return res.Programs[0]
}
