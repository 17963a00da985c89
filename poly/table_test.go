package poly

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each table has lines A | B | want, or A | want, in isl notation: one for each bug fixed, at least.

// table calls f with the fields of each line of a file in testdata.
func table(t *testing.T, name string, f func(t *testing.T, fields []string)) {
	text, err := os.ReadFile("testdata/" + name + ".txt")
	require.NoError(t, err)
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		t.Run(name+":"+strconv.Itoa(i+1), func(t *testing.T) { f(t, strings.Split(line, " | ")) })
	}
}

func sameSets(t *testing.T, want, got Set) {
	t.Helper()
	assert.True(t, got.IsEqual(want), "want %v\ngot  %v", want, got)
}

func TestBinaryTables(t *testing.T) {
	for name, op := range map[string]func(a, b Set) Set{
		"subtract":  Set.Subtract,
		"intersect": Set.Intersect,
		"gist":      Set.Gist,
		"project":   nil,
	} {
		table(t, name, func(t *testing.T, f []string) {
			if name == "project" {
				sameSets(t, MustSet(f[2]), MustSet(f[0]).ProjectOut(strings.Split(f[1], ", ")...))
				return
			}
			sameSets(t, MustSet(f[2]), op(MustSet(f[0]), MustSet(f[1])))
		})
	}
}

func TestUnaryTables(t *testing.T) {
	for name, op := range map[string]func(s Set) Set{"lexmin": Set.LexMin, "lexmax": Set.LexMax, "hull": Set.SimpleHull} {
		table(t, name, func(t *testing.T, f []string) { sameSets(t, MustSet(f[1]), op(MustSet(f[0]))) })
	}
	table(t, "deltas", func(t *testing.T, f []string) { sameSets(t, MustSet(f[1]), MustMap(f[0]).Deltas()) })
}

func TestComposeTable(t *testing.T) {
	table(t, "compose", func(t *testing.T, f []string) {
		want, got := MustMap(f[2]), MustMap(f[0]).ApplyRange(MustMap(f[1]))
		assert.True(t, got.IsEqual(want), "want %v\ngot  %v", want, got)
		back := MustMap(f[1]).Inverse().ApplyRange(MustMap(f[0]).Inverse())
		assert.True(t, back.IsEqual(want.Inverse()), "want %v\ngot  %v", want.Inverse(), back)
	})
}

func TestEmptyTable(t *testing.T) {
	table(t, "empty", func(t *testing.T, f []string) {
		s := MustSet(f[0])
		assert.Equal(t, f[1], strconv.FormatBool(s.IsEmpty()))
		if !s.IsEmpty() && len(f[0]) < 80 {
			params, point, ok := s.Sample()
			values := map[string]int64{}
			for i, name := range s.Params() {
				values[name] = params[i]
			}
			assert.True(t, ok && s.Contains(values, point...), "sample %v %v", params, point)
		}
	})
}

func TestCoalesceTable(t *testing.T) {
	table(t, "coalesce", func(t *testing.T, f []string) {
		got := MustSet(f[0]).Coalesce()
		assert.Equal(t, f[1], strconv.Itoa(len(got.Basics())), got)
		sameSets(t, MustSet(f[0]), got)
	})
}

func TestPrintTables(t *testing.T) {
	table(t, "print", func(t *testing.T, f []string) {
		s := MustSet(f[0])
		assert.Equal(t, f[1], s.String())
		sameSets(t, s, MustSet(s.String()))
	})
	table(t, "print_map", func(t *testing.T, f []string) {
		m := MustMap(f[0])
		assert.Equal(t, f[1], m.String())
		assert.True(t, MustMap(m.String()).IsEqual(m))
	})
}

func TestErrorTable(t *testing.T) {
	table(t, "errors", func(t *testing.T, f []string) {
		_, err := ParseSet(f[0])
		require.Error(t, err)
		first, rest, _ := strings.Cut(err.Error(), "\n")
		assert.Equal(t, f[1], first)
		assert.Equal(t, 2, strings.Count(rest, "\t"), "the line, and the caret below it")
	})
}
