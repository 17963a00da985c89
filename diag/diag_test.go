package diag_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
)

const source = "void f(void)\n{\n\tB[t+1][i] = A[idx[i]];\r\n  ä = ö[i];\n}\n"

func span(line, col, n int) diag.Span {
	return diag.Span{Pos: diag.Pos{File: "s.c", Line: line, Col: col}, Len: n}
}

var list = diag.List{
	{Code: "HX102", At: span(5, 1, 1), Msg: "last"},
	{Code: "HX101", At: span(3, 16, 6), Msg: "subscript 'idx[i]' is not affine",
		Notes: []diag.Note{{Msg: "allowed: sums"}, {At: span(1, 1, 4), Msg: "declared here"}}, Help: "do something"},
	{Severity: diag.Warning, Code: "HX105", At: span(4, 8, 5), Msg: "umlauts"},
	{Severity: diag.Remark, Code: "HX105", At: diag.Span{Pos: diag.Pos{File: "s.c"}}, Msg: "of the file"},
	{Code: "HX009", Msg: "of the command"},
	{Code: "HX101", At: span(3, 16, 6), Msg: "subscript 'idx[i]' is not affine"},
}

func sources(name string) []byte {
	if name == "s.c" {
		return []byte(source)
	}
	return nil
}

func TestText(t *testing.T) {
	var b strings.Builder
	require.NoError(t, diag.Text(&b, diag.Sorted(list), sources))
	want := `hexcc: error: of the command [HX009]
s.c: remark: of the file [HX105]
s.c:3:16: error: subscript 'idx[i]' is not affine [HX101]
    3 | 	B[t+1][i] = A[idx[i]];
      | 	              ^~~~~~
note: allowed: sums
s.c:1:1: note: declared here
    1 | void f(void)
      | ^~~~
help: do something
s.c:4:8: warning: umlauts [HX105]
    4 |   ä = ö[i];
      |       ^~~~
s.c:5:1: error: last [HX102]
    5 | }
      | ^
`
	assert.Equal(t, want, b.String())
}

// TestPlacesThatAreNot checks that no span, however wrong, makes Text fail.
func TestPlacesThatAreNot(t *testing.T) {
	for line := -1; line < 9; line++ {
		for col := -1; col < 40; col++ {
			l := diag.List{{At: span(line, col, 7), Msg: "x"}, {At: diag.Span{Pos: diag.Pos{File: "other.c", Line: line, Col: col}}, Msg: "x"}}
			require.NoError(t, diag.Text(&strings.Builder{}, l, sources))
			require.NoError(t, diag.SARIF(&strings.Builder{}, l, sources))
		}
	}
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	require.NoError(t, diag.Print(&b, "json", diag.Sorted(list), sources))
	var got []map[string]any
	require.NoError(t, json.Unmarshal([]byte(b.String()), &got))
	require.Len(t, got, 5)
	want := map[string]any{
		"severity": "error", "code": "HX101", "file": "s.c", "line": 3.0, "column": 16.0, "length": 6.0,
		"message": "subscript 'idx[i]' is not affine", "help": "do something",
		"notes": []any{
			map[string]any{"message": "allowed: sums"},
			map[string]any{"message": "declared here", "file": "s.c", "line": 1.0, "column": 1.0, "length": 4.0},
		},
	}
	assert.Equal(t, want, got[2])
}

// TestSARIF checks what the schema of SARIF 2.1.0 requires.
func TestSARIF(t *testing.T) {
	var b strings.Builder
	require.NoError(t, diag.Print(&b, "sarif", diag.Sorted(list), sources))
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			ColumnKind string
			Results    []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn, EndColumn int }
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(b.String()), &log))
	assert.Equal(t, "2.1.0", log.Version)
	require.Len(t, log.Runs, 1)
	run := log.Runs[0]
	assert.Equal(t, "hexcc", run.Tool.Driver.Name)
	assert.Equal(t, "unicodeCodePoints", run.ColumnKind)
	var levels []string
	for _, r := range run.Results {
		levels = append(levels, r.Level)
		assert.Equal(t, r.RuleID, run.Tool.Driver.Rules[r.RuleIndex].ID)
		assert.NotEmpty(t, r.Message.Text)
	}
	assert.Equal(t, []string{"error", "note", "error", "warning", "error"}, levels)
	place := run.Results[3].Locations[0].PhysicalLocation
	assert.Equal(t, "s.c", place.ArtifactLocation.URI)
	assert.Equal(t, [3]int{4, 7, 11}, [3]int{place.Region.StartLine, place.Region.StartColumn, place.Region.EndColumn})

	require.Error(t, diag.Print(&b, "xml", nil, nil))
	b.Reset()
	require.NoError(t, diag.SARIF(&b, nil, nil))
	assert.Contains(t, b.String(), `"results": []`)
}

func TestExitStatus(t *testing.T) {
	assert.Zero(t, diag.List{}.ExitStatus())
	warning := diag.List{{Severity: diag.Warning, Code: "HX105"}}
	assert.Zero(t, warning.ExitStatus())
	assert.False(t, warning.HasErrors())
	assert.Equal(t, 2, warning.WarningsAsErrors().ExitStatus())
	assert.Equal(t, diag.Warning, warning[0].Severity)
	for code, want := range map[diag.Code]int{"HX001": 1, "HX101": 2, "HX201": 2, "HX301": 2, "HX401": 4, "HX501": 5} {
		assert.Equal(t, want, diag.List{{Code: code}, {Severity: diag.Warning, Code: "HX001"}}.ExitStatus(), code)
	}
}

// TestFirst checks that a limit counts errors only, and hides nothing where it is not passed.
func TestFirst(t *testing.T) {
	said := func(severities string) (l diag.List) {
		for _, s := range severities {
			l = append(l, &diag.Diagnostic{Severity: map[rune]diag.Severity{'e': diag.Error, 'w': diag.Warning, 'r': diag.Remark}[s]})
		}
		return l
	}
	for _, c := range []struct {
		all         string
		limit, left int
		more        int
	}{
		{"", 3, 0, 0}, {"wewerw", 2, 6, 0}, {"wewerwew", 2, 4, 1}, {"eeeee", 1, 1, 4}, {"eeeee", 0, 5, 0}, {"eeeee", 5, 5, 0}, {"wwww", 1, 4, 0},
	} {
		first, more := said(c.all).First(c.limit)
		assert.Equal(t, []int{c.left, c.more}, []int{len(first), more}, "%s, at most %d", c.all, c.limit)
	}
}

// TestTopics checks the table of codes, and that each can be explained.
func TestTopics(t *testing.T) {
	var list strings.Builder
	require.NoError(t, diag.ListCodes(&list))
	var last diag.Code
	for _, topic := range diag.Topics {
		assert.Regexp(t, regexp.MustCompile(`^HX[0-5]\d\d$`), string(topic.Code))
		assert.Less(t, last, topic.Code)
		last = topic.Code
		assert.NotEmpty(t, topic.Explain)
		assert.Contains(t, list.String(), string(topic.Code)+"  "+topic.Title)
		lines := strings.Split(topic.Explain, "\n")
		long := func(l string) bool { return len(l) > 90 }
		assert.False(t, slices.ContainsFunc(lines, long), topic.Code)
		var b strings.Builder
		require.NoError(t, diag.Explain(&b, diag.Code(strings.ToLower(string(topic.Code)))))
		assert.Contains(t, b.String(), topic.Title)
	}
	assert.Error(t, diag.Explain(&list, "HX999"))
}
