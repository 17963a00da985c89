package diag

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const text = "int f;\n  /* é */ B[t+1][i] = A[idx[i]];\n\ttab = x;\n"

func sources(string) []byte { return []byte(text) }

func span(line, col, n int) Span { return Span{Pos{"s.c", line, col}, n} }

func example() List {
	return List{
		{Code: "HX101", At: span(2, 25, 6), Msg: "subscript 'idx[i]' is not affine",
			Notes: []Note{{Msg: "allowed: sums"}, {At: span(1, 5, 1), Msg: "declared here"}}, Help: "write it out"},
		{Severity: Warning, Code: "HX106", At: span(3, 2, 3), Msg: "a warning"},
		{Severity: Remark, Msg: "no place"},
	}
}

// TestText checks the form that people read, tabs and characters of several bytes included.
func TestText(t *testing.T) {
	var b strings.Builder
	require.NoError(t, Text(&b, example(), sources))
	require.Equal(t, `s.c:2:25: error: subscript 'idx[i]' is not affine [HX101]
    2 |   /* é */ B[t+1][i] = A[idx[i]];
      |                        ^~~~~~
note: allowed: sums
s.c:1:5: note: declared here
    1 | int f;
      |     ^
help: write it out
s.c:3:2: warning: a warning [HX106]
    3 | 	tab = x;
      | 	^~~
hexcc: remark: no place
`, b.String())
}

// TestJSON checks that JSON holds what the text does.
func TestJSON(t *testing.T) {
	var b strings.Builder
	require.NoError(t, Print(&b, "json", example(), sources))
	var back []jsonDiagnostic
	require.NoError(t, json.Unmarshal([]byte(b.String()), &back))
	require.Len(t, back, 3)
	require.Equal(t, jsonDiagnostic{Severity: "error", Code: "HX101", jsonSpan: jsonSpan{"s.c", 2, 25, 6},
		Message: "subscript 'idx[i]' is not affine", Help: "write it out",
		Notes: []jsonNote{{Message: "allowed: sums"}, {jsonSpan{"s.c", 1, 5, 1}, "declared here"}}}, back[0])
	require.Equal(t, "warning", back[1].Severity)
}

// TestSARIF checks the parts of a log that its readers look for; columns are in characters.
func TestSARIF(t *testing.T) {
	var b strings.Builder
	require.NoError(t, Print(&b, "sarif", example(), sources))
	var log struct {
		Version string
		Runs    []struct {
			ColumnKind string
			Tool       struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			Results []struct {
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
				RelatedLocations []any
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(b.String()), &log))
	require.Equal(t, "2.1.0", log.Version)
	run := log.Runs[0]
	require.Equal(t, "hexcc", run.Tool.Driver.Name)
	require.Equal(t, "unicodeCodePoints", run.ColumnKind)
	first := run.Results[0]
	require.Equal(t, "HX101", run.Tool.Driver.Rules[first.RuleIndex].ID)
	require.Equal(t, "error", first.Level)
	region := first.Locations[0].PhysicalLocation.Region
	require.Equal(t, [3]int{2, 24, 30}, [3]int{region.StartLine, region.StartColumn, region.EndColumn})
	require.Len(t, first.RelatedLocations, 1)
	require.Equal(t, "note", run.Results[2].Level)
	require.Empty(t, run.Results[2].Locations)
}

// TestList checks order, repetitions, severities and statuses.
func TestList(t *testing.T) {
	l := example()
	slices.Reverse(l)
	sorted := Sorted(append(l, example()...))
	require.Len(t, sorted, 3)
	require.Equal(t, "no place", sorted[0].Msg)
	require.Equal(t, Code("HX101"), sorted[1].Code)
	require.True(t, l.HasErrors())
	require.False(t, List{{Severity: Warning}}.HasErrors())
	require.True(t, List{{Severity: Warning, Code: "HX106"}}.WarningsAsErrors().HasErrors())
	require.Equal(t, 2, l.ExitStatus())
	require.Equal(t, 1, List{{Code: "HX001"}}.ExitStatus())
	require.Equal(t, 4, List{{Code: "HX401"}}.ExitStatus())
}

// TestTopics checks the table of codes: sorted, explained, shown.
func TestTopics(t *testing.T) {
	for i, topic := range Topics {
		require.NotEmpty(t, topic.Title, topic.Code)
		require.NotEmpty(t, topic.Explain, topic.Code)
		if i > 0 {
			require.Less(t, Topics[i-1].Code, topic.Code)
		}
		var b strings.Builder
		require.NoError(t, Explain(&b, Code(strings.ToLower(string(topic.Code)))))
		require.Contains(t, b.String(), string(topic.Code)+": "+topic.Title)
	}
	require.Error(t, Explain(&strings.Builder{}, "HX999"))
	var b strings.Builder
	require.NoError(t, ListCodes(&b))
	require.Contains(t, b.String(), "HX201")
}
