package report

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/calc"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/golden"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// TestText compares the text of two cases with testdata (-update rewrites it).
func TestText(t *testing.T) {
	for _, name := range []string{"jacobi-2d", "asymmetric"} {
		got := Inspect(products(t, name, sizesOf[name])).Text()
		path := filepath.Join("testdata", name+".txt")
		if *golden.Update {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(want), got)
	}
}

// TestTextWidth: the text fits a terminal, but for tables of long accesses.
func TestTextWidth(t *testing.T) {
	for name, sizes := range sizesOf {
		for _, line := range strings.Split(Inspect(products(t, name, sizes)).Text(), "\n") {
			require.LessOrEqual(t, len([]rune(line)), 100, "%s: %s", name, line)
		}
	}
}

func TestJSON(t *testing.T) {
	for name, sizes := range sizesOf {
		in := Inspect(products(t, name, sizes))
		text := in.JSON()
		require.Equal(t, 9, strings.Count(string(text), "null"), name) // the choice of sizes: they are given; the pipeline; what a CPU has, which are two fields; what ranks have; sums in another order; arrays that are folded; nests that are several; and what is computed where it is read
		back, err := ParseJSON(text)
		require.NoError(t, err)
		require.Equal(t, string(text), string(back.JSON()), name)
		require.Equal(t, in.Text(), back.Text(), name)
		require.Equal(t, in.ISL(), back.ISL(), name)
	}
	_, err := ParseJSON([]byte(`{"version": 999}`))
	require.ErrorContains(t, err, "version 999")
}

// TestChoice: sizes that the model chose come with the best ten, and why the others lost.
func TestChoice(t *testing.T) {
	p := products(t, "jacobi-2d", sizesOf["jacobi-2d"])
	var err error
	p.Choice, err = model.Choose(p.Space, p.Cone, p.GPU.Device, nil, model.Asked{})
	require.NoError(t, err)
	in := Inspect(p)
	require.Len(t, in.Choice.Best, 10)
	text := in.Text()
	require.Contains(t, text, "not no. 10")
	for i, x := range in.Choice.Best {
		require.Equal(t, i > 0, x.Why != "")
		require.Equal(t, p.Choice.Best[i].Sizes, schedule.Sizes{H: x.H, W: x.W})
		require.Contains(t, strings.Join(strings.Fields(text), " "), x.Why)
	}
	for _, line := range strings.Split(text, "\n") {
		require.LessOrEqual(t, len([]rune(line)), 100, line)
	}
	back, err := ParseJSON(in.JSON())
	require.NoError(t, err)
	require.Equal(t, text, back.Text())
}

// TestJSONLeavesInspection: filling lists for JSON must not reach the inspection itself.
func TestJSONLeavesInspection(t *testing.T) {
	in := Inspect(products(t, "jacobi-1d", sizesOf["jacobi-1d"]))
	require.Nil(t, in.Scalars)
	in.JSON()
	require.Nil(t, in.Scalars)
	require.Nil(t, in.Moves)
}

// TestSchemaIsDocumented: docs/inspect.md names every field of the JSON form.
func TestSchemaIsDocumented(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "docs", "inspect.md"))
	require.NoError(t, err)
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(x reflect.Type) {
		switch x.Kind() {
		case reflect.Slice, reflect.Pointer, reflect.Array:
			visit(x.Elem())
		case reflect.Struct:
			if seen[x] {
				return
			}
			seen[x] = true
			for i := range x.NumField() {
				if tag := x.Field(i).Tag.Get("json"); tag != "" {
					require.True(t, strings.Contains(string(doc), "`"+tag+"`"), "docs/inspect.md lacks %s: %v.%s", tag, x, x.Field(i).Name)
				}
				visit(x.Field(i).Type)
			}
		}
	}
	visit(reflect.TypeFor[Inspection]())
}

// TestISL reads every set and relation back and compares it with the value it was printed from.
func TestISL(t *testing.T) {
	for name, sizes := range sizesOf {
		p := products(t, name, sizes)
		texts := map[string]string{}
		for _, line := range strings.Split(Inspect(p).ISL(), "\n") {
			if before, after, found := strings.Cut(line, " := "); found {
				texts[before] = strings.TrimSuffix(after, ";")
			} else {
				require.True(t, line == "" || strings.HasPrefix(line, "#"), line)
			}
		}
		n := 0
		equal := func(key string, m poly.Map) {
			require.Contains(t, texts, key, name)
			require.True(t, poly.MustMap(texts[key]).IsEqual(m), "%s: %s", name, key)
			n++
		}
		require.True(t, poly.MustSet(texts["context"]).IsEqual(p.Scop.Context))
		for i, s := range p.Scop.Stmts {
			require.True(t, poly.MustSet(texts[s.Name+"_domain"]).IsEqual(s.Domain))
			equal(s.Name+"_place", p.Space.Maps[i])
			for j, a := range s.Accesses {
				kind := "read"
				if a.Write {
					kind = "write"
				}
				equal(fmt.Sprintf("%s_%s%d", s.Name, kind, j), a.Map)
			}
		}
		for i, d := range p.Deps {
			equal(fmt.Sprintf("dependence%d_%v", i+1, d.Kind), d.Map)
		}
		equal("schedule_map", p.Schedule.Map)
		ready := schedule.WhenReady(p.Schedule, p.Cone)
		equal("ready_waits", ready.Waits)
		equal("ready_before", ready.Before)
		require.Equal(t, len(texts), n+1+len(p.Scop.Stmts), name)
	}
}

// TestISLRuns: the calculator runs all that is printed, and then knows the schedule.
func TestISLRuns(t *testing.T) {
	for name, sizes := range sizesOf {
		p := products(t, name, sizes)
		var out strings.Builder
		c := &calc.Calculator{Out: &out}
		require.NoError(t, c.Run(name, Inspect(p).ISL()+"assert(schedule_map = "+p.Schedule.Map.String()+"); typeof schedule_map;", 0))
		require.Equal(t, "map\n", out.String())
	}
}

// TestISLIsReadByISL: isl reads what stands after each := and finds it equal to what it reads of us.
func TestISLIsReadByISL(t *testing.T) {
	python := tool.Python(t)
	var texts strings.Builder
	for name, sizes := range sizesOf {
		for _, line := range strings.Split(Inspect(products(t, name, sizes)).ISL(), "\n") {
			if _, after, found := strings.Cut(line, " := "); found {
				fmt.Fprintln(&texts, strings.TrimSuffix(after, ";"))
			}
		}
	}
	cmd := exec.Command(python, "-c", readByISL)
	cmd.Stdin = strings.NewReader(texts.String())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	given := strings.Split(strings.TrimSpace(texts.String()), "\n")
	require.Len(t, lines, len(given))
	for i, line := range lines {
		kind, text, _ := strings.Cut(line, " ")
		if kind == "UnionMap" {
			require.True(t, poly.MustMap(text).IsEqual(poly.MustMap(given[i])), given[i])
		} else {
			require.True(t, poly.MustSet(text).IsEqual(poly.MustSet(given[i])), given[i])
		}
	}
}

// readByISL prints each line of its input as isl does, after its type.
const readByISL = `
import sys, islpy
for line in sys.stdin:
    try:
        x = islpy.UnionMap(line)
        if x.is_empty() or "->" not in line.partition("{")[2]:
            x = islpy.UnionSet(line)
    except islpy.Error:
        x = islpy.UnionSet(line)
    print(type(x).__name__, str(x).replace("\n", " "))
`

// TestCounts: the loops of the kernels do what gpu.Count says they do, and the
// numbers of the example are those of the paper, with what the tile before left.
func TestCounts(t *testing.T) {
	for name, sizes := range sizesOf {
		p := products(t, name, sizes)
		want := lower.NewCounter(p.Space, p.GPU.Device, lower.Options{}).Counts(p.Schedule)
		for i, k := range p.GPU.Kernels {
			c := CountKernel(k)
			require.Equal(t, want[i].Points, c.Points, name)
			require.Equal(t, want[i].Loads, c.Loads, name)
			require.Equal(t, want[i].Stores, c.Stores, name)
			require.Equal(t, want[i].Global, c.Reads+c.Writes, name)
			require.Equal(t, want[i].SharedBytes, c.SharedBytes, name)
		}
	}
	c := CountKernel(products(t, "jacobi-2d", sizesOf["jacobi-2d"]).GPU.Kernels[0])
	require.Equal(t, [3]int64{1152, 512, 512}, [3]int64{c.Points, c.Loads, c.Stores})
}

// TestDistances finds the distances of each dependence by comparing all pairs
// of instances, and checks that the text holds for each and that Nearest is one of the least.
func TestDistances(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "jacobi-2d", "asymmetric", "fdtd-2d", "wave-2d"} {
		p := products(t, name, sizesOf[name])
		values := make([]int64, len(p.Scop.Params))
		for i := range values {
			values[i] = 7
		}
		in := Inspect(p)
		for i, d := range p.Deps {
			shown := in.Dependences[i]
			found := pairs(p.Space, d, values)
			require.NotEmpty(t, found, "%s: %d", name, i+1)
			nearest := false
			for _, v := range found {
				require.True(t, matches(shown.Distance, v), "%s: %v is not %s", name, v, shown.Distance)
				require.GreaterOrEqual(t, v[0], shown.Nearest[0])
				nearest = nearest || reflect.DeepEqual(v, shown.Nearest)
			}
			require.True(t, nearest, "%s: no distance %v", name, shown.Nearest)
		}
	}
}

// pairs returns the distances between all instances of d's statements, the
// source first, whose accesses touch one element.
func pairs(c *schedule.Canonical, d schedule.Dependence, values []int64) (found [][]int64) {
	type touch struct {
		element string
		at      []int64
	}
	touches := func(s *scop.Stmt, a *scop.Access) (ts []touch) {
		for _, iters := range instances(s, values) {
			element := ""
			for _, x := range a.Index {
				v := affineAt(x.Affine, iters, values)
				if x.Mod > 0 {
					v %= x.Mod
				}
				element += fmt.Sprint(v, ",")
			}
			ts = append(ts, touch{element, vectorAt(c, s.Order, iters, values)})
		}
		return ts
	}
	targets := touches(d.Dst, d.DstAccess)
	for _, x := range touches(d.Src, d.SrcAccess) {
		for _, y := range targets {
			if x.element != y.element || y.at[0] <= x.at[0] {
				continue
			}
			v := make([]int64, len(x.at))
			for i := range v {
				v[i] = y.at[i] - x.at[i]
			}
			found = append(found, v)
		}
	}
	return found
}

// matches reports whether v is of the form that text describes, such as (1 + 2k, 0, *).
func matches(text string, v []int64) bool {
	parts := strings.Split(strings.Trim(text, "()"), ", ")
	if len(parts) != len(v) {
		return false
	}
	for i, part := range parts {
		var first, period int64
		switch {
		case part == "*":
		case strings.HasSuffix(part, "k"):
			period = 1
			if _, err := fmt.Sscanf(part, "%d + %dk", &first, &period); err != nil {
				fmt.Sscanf(part, "%d + k", &first)
			}
			if v[i] < first || (v[i]-first)%period != 0 {
				return false
			}
		case part != fmt.Sprint(v[i]):
			return false
		}
	}
	return true
}

// TestLevelsText: the sentence about steps leaves out those that a schedule file has without a nest.
func TestLevelsText(t *testing.T) {
	for want, levels := range map[string][][]string{
		"Iteration t runs S0, S1 at time t":                                       {{"S0", "S1"}},
		"Iteration t runs S0, S1 at time 2t and S2 at time 2t + 1":                {{"S0", "S1"}, {"S2"}},
		"Iteration t runs S0 at time 3t and S1 at time 3t + 2":                    {{"S0"}, {}, {"S1"}},
		"Iteration t runs S0 at time 3t, S1 at time 3t + 1 and S2 at time 3t + 2": {{"S0"}, {"S1"}, {"S2"}},
	} {
		in := Inspection{Time: "t", Levels: levels}
		require.Equal(t, want, in.levelsText())
	}
}
