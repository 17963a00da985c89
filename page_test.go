package hexcc_test

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/golden"
	"github.com/hexcc/hexcc/report"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// page compiles text and returns the page about it.
func page(t *testing.T, name, text string, o hexcc.Options) (*hexcc.Result, hexcc.Source, string) {
	t.Helper()
	src := hexcc.Source{Name: name, Text: []byte(text)}
	o.NoAlias, o.Places, o.Base = true, true, strings.TrimSuffix(name, ".c")
	res, err := hexcc.Compile(src, o)
	require.NoError(t, err)
	return res, src, string(report.HTML(res.Page(src, o.Base)))
}

// TestSamplePage keeps docs/sample.html up to date (-update rewrites it), small
// and the same whenever it is made.
func TestSamplePage(t *testing.T) {
	text, err := os.ReadFile("examples/fdtd-2d.c")
	require.NoError(t, err)
	o := hexcc.Options{Tile: &schedule.Sizes{H: 1, W: []int64{2, 32}}}
	_, _, got := page(t, "fdtd-2d.c", string(text), o)
	_, _, again := page(t, "fdtd-2d.c", string(text), o)
	require.True(t, got == again, "two pages of one file differ")
	require.Less(t, len(got), 400_000)
	path := filepath.Join("docs", "sample.html")
	if *golden.Update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, string(want) == got, "%s is stale: make gallery", path)
}

var (
	tag       = regexp.MustCompile(`<[^>]*>`)
	idOf      = regexp.MustCompile(` id="([^"]*)"`)
	labels    = regexp.MustCompile(` aria-labelledby="([^"]*)"`)
	link      = regexp.MustCompile(` href="([^"]*)"`)
	keyed     = regexp.MustCompile(`<(\w+)[^>]* data-s="([^"]*)"`)
	outward   = regexp.MustCompile(`(?i)(src|srcset|action|poster|data)="|url\(|@import|<link|<iframe|<object|XMLHttpRequest|\bfetch\(|import\(`)
	codeBlock = regexp.MustCompile(`(?s)<pre class="code[^>]*>(.*?)</pre>`)
)

// TestPage checks pages of two regions, and for CPUs, as TestEach does those of all cases: nothing comes from elsewhere, links and
// labels lead somewhere, texts are whole, and each statement has its lines and its rows.
func TestPage(t *testing.T) {
	two := `void f(int T, int n, float A[2][n], float B[2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = A[t % 2][i - 1] < 2 && A[t % 2][i + 1] > 1 ? 1 : 0; // <b> & "quotes"
#pragma endscop
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      B[(t + 1) % 2][i] = B[t % 2][i - 1] + B[t % 2][i + 1];
#pragma endscop
}
`
	res, src, got := page(t, "two.c", two, hexcc.Options{})
	checkPage(t, res, src, got, res.Files.Kernel)
	cases := map[string]string{"two.c": two}
	for _, name := range []string{"fdtd-2d", "heat-3d", "life"} {
		cases[name+".c"] = testcases.Input(t, name)
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			res, src, got := page(t, name, text, hexcc.Options{Target: hexcc.OpenMP, Ranked: true})
			checkPage(t, res, src, got, res.C.Whole)
			shown := tag.ReplaceAllString(styled.ReplaceAllString(got, ""), " ")
			require.NotRegexp(t, ofGPUs, ofOrder.ReplaceAllString(shown, ""))
		})
	}
	res, src, got = page(t, "two.c", two, hexcc.Options{Target: hexcc.OpenCL})
	checkPage(t, res, src, got, res.OpenCL.Kernel)
}

// TestPageExpressions: that texts say what computes which expression changes none of them, and what they say holds: a part that is said to be of a number is this
// number, one of an element names its array, and an expression in another lies in it in the source, too.
func TestPageExpressions(t *testing.T) {
	for _, name := range []string{"fdtd-2d", "life"} {
		text, err := os.ReadFile(filepath.Join("examples", name+".c"))
		if err != nil {
			c, err := someInput(t, name)
			require.NoError(t, err)
			text = c
		}
		for _, target := range []hexcc.Target{hexcc.CUDA, hexcc.OpenCL, hexcc.OpenMP} {
			if target == hexcc.OpenCL && name == "life" {
				continue // its kernels are CUDA's
			}
			src := hexcc.Source{Name: name + ".c", Text: text}
			o := hexcc.Options{Target: target, NoAlias: true, Base: name}
			plain, err := hexcc.Compile(src, o)
			require.NoError(t, err)
			o.Places = true
			marked, err := hexcc.Compile(src, o)
			require.NoError(t, err)
			a, b := plain.Page(src, name), marked.Page(src, name)
			require.True(t, a.Kernel == b.Kernel)
			require.Empty(t, a.Places)
			require.Equal(t, plain.Files, withoutPlaces(marked.Files))
			checkPlaces(t, string(text), b.Kernel, b.Places, marked.Scop)
		}
	}
}

func withoutPlaces(f cuda.Files) cuda.Files {
	f.Places = nil
	return f
}

func someInput(t *testing.T, name string) ([]byte, error) {
	for n, text := range someInputs(t) {
		if n == name {
			return []byte(text), nil
		}
	}
	return nil, os.ErrNotExist
}

var number = regexp.MustCompile(`^[0-9.]+([eE][-+]?[0-9]+)?f?$`)

func checkPlaces(t *testing.T, source, kernel string, places []ctext.Place, p *scop.Program) {
	lines, printed := strings.Split(source, "\n"), strings.Split(kernel, "\n")
	require.NotEmpty(t, places)
	seen := map[string]bool{}
	var outer []ctext.Place
	for _, x := range places {
		from := lines[x.At.Line-1][x.At.Col-1:][:x.At.Len]
		to := printed[x.Line-1][x.From:x.To]
		seen[fmt.Sprint(x.At)] = true
		if number.MatchString(from) {
			require.Equal(t, from, to)
		}
		for _, a := range p.Arrays {
			if regexp.MustCompile(`^`+a.Name+`(\[[^][]*\])+$`).MatchString(from) && strings.Count(to, "(") == strings.Count(to, ")") && strings.Count(to, "[") == strings.Count(to, "]") { // no line ends in it
				require.Regexp(t, a.Name+"|row|window|x[0-9]|reg", to, from)
			}
		}
		for len(outer) > 0 && (outer[len(outer)-1].Line != x.Line || outer[len(outer)-1].To < x.To) {
			outer = outer[:len(outer)-1]
		}
		if n := len(outer); n > 0 && outer[n-1].At.Line == x.At.Line {
			in := outer[n-1].At
			require.True(t, in.Col <= x.At.Col && x.At.Col+x.At.Len <= in.Col+in.Len, "%v is not in %v", x, outer[n-1])
		}
		outer = append(outer, x)
	}
	for _, s := range p.Stmts {
		for _, a := range s.Accesses {
			require.True(t, seen[fmt.Sprint(a.Pos)], "nothing is of %s", a.Text)
		}
	}
}

var (
	styled = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|<pre class="code.*?</pre>`)
	// launch(ready) is the name of a clause, for threads, too.
	ofOrder = regexp.MustCompile(`\blaunch\((ready|phases)\)`)
	ofGPUs  = regexp.MustCompile(`(?i)\b(kernels?|blocks?|shared memory|launch(es)?|devices?|GPU|CUDA|warps?)\b`)
)

func checkPage(t *testing.T, res *hexcc.Result, src hexcc.Source, got, printed string) {
	require.Empty(t, outward.FindString(got))
	require.NotContains(t, strings.ReplaceAll(got, `xmlns="http://www.w3.org/2000/svg"`, ""), "http")
	require.NotContains(t, got, "ZgotmplZ")
	require.Less(t, len(got), 1_000_000)
	ids := map[string]bool{}
	for _, m := range idOf.FindAllStringSubmatch(got, -1) {
		require.False(t, ids[m[1]], "two elements have the id %s", m[1])
		ids[m[1]] = true
	}
	for _, m := range link.FindAllStringSubmatch(got, -1) {
		require.True(t, strings.HasPrefix(m[1], "#") && ids[m[1][1:]], "link to %s", m[1])
	}
	for _, m := range labels.FindAllStringSubmatch(got, -1) {
		for _, id := range strings.Fields(m[1]) {
			require.True(t, ids[id], "label %s", id)
		}
	}
	blocks := codeBlock.FindAllStringSubmatch(got, -1)
	require.Len(t, blocks, 2)
	for i, want := range []string{string(src.Text), printed} {
		require.Equal(t, strings.TrimRight(want, "\n"), strings.TrimRight(html.UnescapeString(tag.ReplaceAllString(blocks[i][1], "")), "\n"))
	}
	for _, region := range res.Regions {
		for _, st := range region.Scop.Stmts {
			key := fmt.Sprintf("%d-%s", region.Scop.Region.Index+1, st.Name)
			require.Contains(t, keys(blocks[0][1]), key, "source lines")
			require.Contains(t, keys(blocks[1][1]), key, "kernel lines")
			require.Contains(t, keys(got), key)
			require.Contains(t, got, `<button type="button" data-s="`+key+`"`)
			if res.C.Text != "" { // tiles for CPUs are so large that their points would run together
				continue
			}
			require.Regexp(t, `class="(points|rows)" data-s="([^"]* )?`+key+`[ "]`, got)
		}
		require.Equal(t, len(region.Deps), strings.Count(rows(got, region), "\n<tr data-s="))
	}
}

// rows returns the table of dependences of a region.
func rows(page string, r *hexcc.Region) string {
	_, after, _ := strings.Cut(page, fmt.Sprintf(`id="r%d-dependences"`, r.Scop.Region.Index+1))
	table, _, _ := strings.Cut(after, "</section>")
	return table
}

// keys returns the keys of statements in a part of a page.
func keys(text string) (all []string) {
	for _, m := range keyed.FindAllStringSubmatch(text, -1) {
		for _, key := range strings.Fields(m[2]) {
			if !slices.Contains(all, key) {
				all = append(all, key)
			}
		}
	}
	return all
}
