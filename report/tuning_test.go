package report_test

import (
	"encoding/xml"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/report"
	"github.com/hexcc/hexcc/tune"
)

// TestTuningPage checks that a page of measurements shows every candidate once, the fastest as chosen, a point for each that has both times, and needs no other file.
func TestTuningPage(t *testing.T) {
	outcomes := []tune.Outcome{
		{Candidate: tune.Candidate{Name: "plain loops", Group: "original", Reference: true}, Seconds: []float64{0.5}},
		{Candidate: tune.Candidate{Name: "--strategy=hybrid --tile=h=1,w0=7", Group: "hybrid", Expected: 0.25, Bound: "memory"}, Seconds: []float64{2, 1}},
		{Candidate: tune.Candidate{Name: "--strategy=space --tile=w0=7", Group: "space", Expected: 1.5}, Seconds: []float64{4}},
		{Candidate: tune.Candidate{Name: "--fuse=[a<b]", Group: "overlapped", Expected: 2}, Rejected: &tune.Rejection{Kind: tune.Wrong, Why: "at element <A[1]>"}},
	}
	in := report.Tuning{Version: "1", Name: "s<.c", About: "n=5\n", Summary: "fastest & best\n", Unit: "seconds", Outcomes: outcomes, Ended: tune.OutOfBudget}
	page := string(report.TuningPage(in))
	require.Equal(t, page, string(report.TuningPage(in)))
	for _, o := range outcomes {
		name := strings.NewReplacer("<", "&lt;").Replace(o.Name)
		require.Equal(t, 1, strings.Count(page, "<code>"+name+"</code>"), o.Name)
	}
	require.Contains(t, page, `<tr class="chosen"><td>1</td><td>1.00</td><td>0.25</td><td>memory</td><td><code>--strategy=hybrid`)
	require.Contains(t, page, `<td>0.5</td><td>0.50</td>`, "a reference may be faster than what is chosen")
	require.Contains(t, page, "rejected: wrong: at element &lt;A[1]&gt;")
	require.Contains(t, page, "Tuning of s&lt;.c")
	require.Contains(t, page, "the budget is used up")
	require.NotRegexp(t, `(src|href)=`, page)
	svg := regexp.MustCompile(`(?s)<svg.*</svg>`).FindString(page)
	require.NoError(t, xml.Unmarshal([]byte(svg), new(struct{})))
	require.Equal(t, 2, strings.Count(svg, ` s, expected `))
	require.Equal(t, 2+2, strings.Count(svg, "<circle"), "points, and the groups that they are of")
	circle := func(name string) (x, y string) {
		m := regexp.MustCompile(name + `[^<]*</title>\s*<circle cx="([^"]+)" cy="([^"]+)"`).FindStringSubmatch(svg)
		require.NotNil(t, m, name)
		return m[1], m[2]
	}
	x0, y0 := circle("hybrid")
	x1, y1 := circle("space")
	require.True(t, number(t, x0) < number(t, x1) && number(t, y0) > number(t, y1), "more time is further right, and higher up")

	in.Outcomes = outcomes[:1] // nothing to draw
	require.NotContains(t, string(report.TuningPage(in)), "<svg")
}

func number(t *testing.T, s string) float64 {
	var x float64
	require.NoError(t, xml.Unmarshal([]byte("<x>"+s+"</x>"), &x))
	return x
}
