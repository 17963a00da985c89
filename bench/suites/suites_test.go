package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
)

// TestCensus counts a made-up suite: marks of the file and inserted ones, around
// the time loop and inside of it, a refusal, a file of another version, and one
// that is not there.
func TestCensus(t *testing.T) {
	hexcc := tool.Hexcc(t, "../..")
	compared := filepath.Join(t.TempDir(), "compared")
	require.NoError(t, os.WriteFile(compared, []byte("made/own equal\nmade/time different\nmade/sweep equal\n"), 0o666))
	c := config{hexcc: hexcc, table: "testdata/table.txt", clones: "testdata/clones", work: t.TempDir(),
		targets: []string{"openmp", "cuda"}, only: regexp.MustCompile(""), limit: time.Minute, memoryMB: 8000, verify: true, compared: compared}
	before, err := os.ReadFile("testdata/clones/made/src/none.c")
	require.NoError(t, err)
	var out, log bytes.Buffer
	require.NoError(t, census(c, &out, &log))
	require.Equal(t, `| suite | repository, commit | programs | taken | with the time loop | equal to gcc |
|---|---|--:|--:|--:|--:|
| made | nobody/made, 01234567 | 4 | 3 | 2 | 1 of 2 |
| all |  | 4 | 3 | 2 | 1 of 2 |

| first error | stops | programs |
|---|--:|---|
| HX201 | 1 | made/sweep |

| program | lines | marks | openmp | cuda | verified | equal to gcc | reason |
|---|--:|---|---|---|---|---|---|
| made/own | 5 | its own | taken | taken | bit for bit | equal |  |
| made/space | 4 | inside | taken | taken | bit for bit |  |  |
| made/time | 6 | inserted | taken | taken | bit for bit | different |  |
| made/sweep | 3 | inserted | HX201 | HX201 |  |  | the i loop carries a flow dependence: A[i] and then A[i - 1] touch the same element at distance (t, i) = (0, 1) |
| made/old |  |  |  |  |  |  | another version |
| made/gone |  |  |  |  |  |  | not there |
`, out.String())
	require.Contains(t, log.String(), "made/sweep: openmp HX201 cuda HX201\n")
	after, err := os.ReadFile("testdata/clones/made/src/none.c")
	require.NoError(t, err)
	require.Equal(t, before, after)
	marked, err := os.ReadFile(filepath.Join(c.work, "made", "space", "none.c"))
	require.NoError(t, err)
	require.Equal(t, string(before), strings.NewReplacer("#pragma scop\n", "", "#pragma endscop\n", "").Replace(string(marked)))

	// What was answered is not asked again; another compiler is.
	out.Reset()
	kept := c
	kept.verify, kept.limit = false, time.Nanosecond
	require.NoError(t, census(kept, &out, &log))
	require.Contains(t, out.String(), "| made/own | 5 | its own | taken | taken | equal |  |\n")
	text, err := os.ReadFile(hexcc)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(hexcc, append(text, 0), 0o777))
	require.NoError(t, census(kept, &out, &log))
	require.Contains(t, out.String(), "| made/own | 5 | its own | time | time |  | no answer within the limit |\n")

	c.limit = time.Millisecond
	r, err := ask(c, program{suite: "made", name: "time", file: "src/none.c", sum: "-", marks: marks{first: 4, last: 9}})
	require.NoError(t, err)
	require.Equal(t, "time", r.answers[0].code)
	require.False(t, r.taken())

	c.only = regexp.MustCompile("nothing of the kind")
	require.Error(t, census(c, &out, &log))
}

// TestSums fills in the check sum of a file that is there, and leaves the rest.
func TestSums(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, sum(config{table: "testdata/table.txt", clones: "testdata/clones"}, &out))
	text, err := os.ReadFile("testdata/clones/made/src/sweep.c")
	require.NoError(t, err)
	require.Contains(t, out.String(), "\nmade sweep src/sweep.c "+checksum(text)+" 4-6\nmade old src/sweep.c "+checksum(text)+" 4-6\nmade gone src/gone.c - marked\n")
}

// TestInsert puts pragmas around lines, the last one without an end included.
func TestInsert(t *testing.T) {
	for _, row := range []struct {
		text string
		m    marks
		want string
	}{
		{"a\nb\nc\n", marks{first: 2, last: 2}, "a\n#pragma scop\nb\n#pragma endscop\nc\n"},
		{"a\nb\nc\n", marks{first: 1, last: 3}, "#pragma scop\na\nb\nc\n#pragma endscop\n"},
		{"a\nb", marks{first: 2, last: 2}, "a\n#pragma scop\nb\n#pragma endscop\n"},
		{"a\r\nb\r\n", marks{first: 1, last: 1}, "#pragma scop\na\r\n#pragma endscop\nb\r\n"},
		{"a\n", marks{}, "a\n"},
	} {
		got, err := insert(row.text, row.m)
		require.NoError(t, err)
		require.Equal(t, row.want, got)
	}
	for _, text := range []string{"", "a\n", "a"} {
		_, err := insert(text, marks{first: 1, last: 2})
		require.Error(t, err, "%q", text)
	}
	require.Equal(t, 2, regionLines("x\n# pragma scop\na\n\n  \nb\n #pragma  endscop\ny\n"))
}

// TestTable refuses lines that mean nothing.
func TestTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	for _, row := range []struct{ text, want string }{
		{"suite a b\n", "want suite NAME"},
		{"\na b c.c -\n", "path:2: want SUITE"},
		{"a b c.c - 3\n", "marks 3 "},
		{"a b c.c - 4-3\n", "marks 4-3 "},
		{"a b c.c - 0-3\n", "marks 0-3 "},
		{"a b c.c - x-3\n", "marks x-3 "},
		{"a b c.c - inside:marked\n", "marks inside:marked "},
		{"a b c.c - marked -O2\n", "flag -O2"},
		{"a b c.c - marked\na b d.c - marked\n", "a/b is here twice"},
	} {
		require.NoError(t, os.WriteFile(path, []byte(row.text), 0o666))
		_, err := readTable(path)
		require.ErrorContains(t, err, strings.ReplaceAll(row.want, "path", path))
	}
	got, err := readTable("suites.txt")
	require.NoError(t, err)
	named := map[string]bool{}
	for _, s := range got.suites {
		named[s.name] = true
	}
	for _, p := range got.programs {
		require.True(t, named[p.suite], "%s: no line says where suite %s is from", p.key(), p.suite)
		require.Regexp(t, "^[0-9a-f]{8}$", p.sum, p.key())
	}
}

// TestRead reads how hexcc ends.
func TestRead(t *testing.T) {
	failed := errors.New("exit status 2")
	for _, row := range []struct {
		said string
		err  error
		want answer
	}{
		{"", nil, answer{}},
		{"a.c:1:2: remark: b [HX211]\na.c:1:1: remark: c [HX105]\na.c:1:1: remark: c [HX105]\n", nil, answer{remarks: []string{"HX105", "HX211"}}},
		{"a.c:1:2: error: no [so] [HX101]\n  1 | x\na.c:3:2: error: more [HX102]\n", failed, answer{code: "HX101", message: "no [so]"}},
		{"a.c:1:2: error: no [HX101]\n", context.DeadlineExceeded, answer{code: "time", message: "no answer within the limit"}},
		{"runtime: out of memory: cannot allocate\n", failed, answer{code: "memory", message: "more memory than the limit"}},
		{"panic: x\ngoroutine 1\n", failed, answer{code: "crash", message: "panic: x (exit status 2)"}},
		{"", failed, answer{code: "crash", message: "(exit status 2)"}},
	} {
		require.Equal(t, row.want, read(row.said, row.err), row.said)
	}
}
