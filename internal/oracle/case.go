package oracle

import (
	"testing"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/scop"
)

// Cases returns the program of each case of testdata by name.
func Cases(t testing.TB) map[string]*scop.Program {
	t.Helper()
	programs := map[string]*scop.Program{}
	for _, c := range cases.All(t) {
		res, err := frontend.Parse(frontend.Source{Name: c.Name + ".c", Text: []byte(c.Text)}, frontend.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		programs[c.Name] = res.Programs[0]
	}
	return programs
}
