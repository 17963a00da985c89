package frontend_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
)

// inputs returns every C program of the test data.
func inputs(t testing.TB) (texts []string) {
	for _, glob := range []string{"../testdata/*.txtar", "testdata/*.txtar"} {
		paths, err := filepath.Glob(glob)
		require.NoError(t, err)
		for _, path := range paths {
			a, err := txtar.ParseFile(path)
			require.NoError(t, err)
			texts = append(texts, string(a.Files[0].Data))
		}
	}
	paths, err := filepath.Glob("testdata/errors*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		errs, err := os.ReadFile(path)
		require.NoError(t, err)
		texts = append(texts, strings.Split(string(errs), "---\n")...)
	}
	return texts
}

// FuzzParse checks that whatever the text, Parse returns programs that verify,
// or diagnostics with known codes at places that exist.
func FuzzParse(f *testing.F) {
	for _, text := range inputs(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkParse(t, text, frontend.Options{}) })
}

// checkParse reports whether text is taken.
func checkParse(t *testing.T, text string, o frontend.Options) bool {
	res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(text)}, o)
	if err == nil {
		require.NotEmpty(t, res.Programs)
		for _, p := range res.Programs {
			require.NoError(t, p.Verify())
			require.NotEmpty(t, p.String())
		}
		return true
	}
	var list diag.List
	require.True(t, errors.As(err, &list))
	require.True(t, list.HasErrors())
	for _, d := range list {
		_, known := diag.TopicOf(d.Code)
		require.True(t, known, d.Code)
		if d.At.File == "s.c" {
			require.LessOrEqual(t, d.At.Line, strings.Count(text, "\n")+1, d.Error())
		}
	}
	require.NoError(t, diag.Text(&strings.Builder{}, list, func(string) []byte { return []byte(text) }))
	return false
}

// TestMutants checks programs with one line, token or byte changed: nearly
// right is where a front end breaks.
func TestMutants(t *testing.T) {
	for _, text := range inputs(t) {
		for _, m := range mutants(text) {
			checkParse(t, m, frontend.Options{})
		}
	}
}

// mutants returns text with each line in turn dropped, doubled, or the last one.
func mutants(text string) (out []string) {
	lines := strings.SplitAfter(text, "\n")
	for i := range lines {
		before, after := strings.Join(lines[:i], ""), strings.Join(lines[i+1:], "")
		out = append(out, []string{before + after, before + lines[i] + lines[i] + after, before}[i%3])
	}
	return out
}
