package schedule

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// A nest is one line of a program for tests: iterators, domain in isl
// notation, and the write = the reads, as in
//
//	{"t i", "0 <= t < T and 1 <= i < N-1", "A[t+1 %2][i] = A[t %2][i-1] A[t %2][i+1]"}
//
// % 2 applies to the whole subscript before it.
type nest struct{ iters, domain, body string }

// program builds a scop from nests. Statement i is at line 10*(i+1), its
// accesses at columns 1, 2, ...
func program(params string, nests ...nest) *scop.Program {
	p := &scop.Program{File: "test.c", Time: "t", Context: poly.MustSet("{ : }")}
	for _, name := range strings.Fields(params) {
		p.Params = append(p.Params, scop.Param{Name: name})
	}
	arrays := map[string]*scop.Array{}
	for i, n := range nests {
		st := &scop.Stmt{Name: fmt.Sprint("S", i), Order: i, Iters: strings.Fields(n.iters), Text: n.body}
		st.Pos = diag.Span{Pos: diag.Pos{File: p.File, Line: 10 * (i + 1), Col: 1}, Len: 1}
		tuple := fmt.Sprintf("%s[%s]", st.Name, strings.Join(st.Iters, ", "))
		st.Domain = poly.MustSet(fmt.Sprintf("%s{ %s : %s }", paramPrefix(p), tuple, n.domain))
		left, right, _ := strings.Cut(n.body, "=")
		for k, text := range append(accessPattern.FindAllString(left, -1), accessPattern.FindAllString(right, -1)...) {
			a := readAccess(p, st, arrays, text)
			a.Write = k < len(accessPattern.FindAllString(left, -1))
			a.Pos = st.Pos
			a.Pos.Col = k + 1
			st.Accesses = append(st.Accesses, a)
		}
		p.Stmts = append(p.Stmts, st)
	}
	return p
}

var (
	accessPattern = regexp.MustCompile(`\w+(\[[^\]]*\])+`)
	indexPattern  = regexp.MustCompile(`\[([^\]]*)\]`)
	termPattern   = regexp.MustCompile(`([+-]?)\s*(?:(\d+)\*)?(\w+)`)
)

// readAccess builds the access written as text.
func readAccess(p *scop.Program, st *scop.Stmt, arrays map[string]*scop.Array, text string) *scop.Access {
	name, _, _ := strings.Cut(text, "[")
	if arrays[name] == nil {
		arrays[name] = &scop.Array{Name: name}
		p.Arrays = append(p.Arrays, arrays[name])
	}
	a := &scop.Access{Array: arrays[name], Text: text}
	var subscripts []string
	for _, m := range indexPattern.FindAllStringSubmatch(text, -1) {
		x := readIndex(p, st, m[1])
		a.Index = append(a.Index, x)
		f := p.Sum(x.Affine, variables(st.Iters)).String()
		if x.Mod > 0 {
			f = fmt.Sprintf("%s - %d*floor((%s)/%d)", f, x.Mod, f, x.Mod)
		}
		subscripts = append(subscripts, f)
	}
	a.Map = poly.MustMap(fmt.Sprintf("%s{ %s[%s] -> %s[%s] }", paramPrefix(p), st.Name, strings.Join(st.Iters, ", "),
		name, strings.Join(subscripts, ", "))).IntersectDomain(st.Domain)
	return a
}

// readIndex builds the subscript written as text.
func readIndex(p *scop.Program, st *scop.Stmt, text string) (x scop.Index) {
	text, mod, _ := strings.Cut(text, "%")
	x.Mod, _ = strconv.ParseInt(strings.TrimSpace(mod), 10, 64)
	x.Iters, x.Params = make([]int64, len(st.Iters)), make([]int64, len(p.Params))
	for _, m := range termPattern.FindAllStringSubmatch(text, -1) {
		k := int64(1)
		if m[2] != "" {
			k, _ = strconv.ParseInt(m[2], 10, 64)
		}
		if m[1] == "-" {
			k = -k
		}
		if n, err := strconv.ParseInt(m[3], 10, 64); err == nil {
			x.Const += k * n
			continue
		}
		for i, name := range st.Iters {
			if name == m[3] {
				x.Iters[i] += k
			}
		}
		for i, param := range p.Params {
			if param.Name == m[3] {
				x.Params[i] += k
			}
		}
	}
	return x
}

// box is the domain 0 <= t < T and 1 <= x < N-1 for each space iterator.
func box(iters string) string {
	rows := "0 <= t < T"
	for _, x := range strings.Fields(iters)[1:] {
		rows += fmt.Sprintf(" and 1 <= %s < N-1", x)
	}
	return rows
}

// A kernel is a program with its cone and sizes for tests.
type kernel struct {
	name  string
	p     *scop.Program
	cone  string // in the form of Cone.String, without line ends
	sizes Sizes
}

// kernels returns programs of one to three dimensions and one to four nests.
func kernels() []kernel {
	star := func(array, t string, iters []string, reach int) (reads string) {
		at := func(p, d int) string {
			text := fmt.Sprintf("%s[%s]", array, t)
			for i, x := range iters {
				if i == p && d != 0 {
					x = fmt.Sprintf("%s%+d", x, d)
				}
				text += "[" + x + "]"
			}
			return text + " "
		}
		reads = at(0, 0)
		for p := range iters {
			for d := 1; d <= reach; d++ {
				reads += at(p, -d) + at(p, d)
			}
		}
		return reads
	}
	dense := func(array, t string, iters []string) string {
		texts := []string{fmt.Sprintf("%s[%s]", array, t)}
		for _, x := range iters {
			var longer []string
			for _, text := range texts {
				longer = append(longer, text+"["+x+"-1]", text+"["+x+"]", text+"["+x+"+1]")
			}
			texts = longer
		}
		return strings.Join(texts, " ")
	}
	i, ij, ijk := []string{"i"}, []string{"i", "j"}, []string{"i", "j", "k"}
	return []kernel{
		{"jacobi-1d", program("N T", nest{"t i", box("t i"), "A[t+1 %2][i] = " + star("A", "t %2", i, 1)}),
			"-1*dt <= ds0 <= 1*dt", Sizes{H: 2, W: []int64{3}}},
		{"jacobi-2d", program("N T", nest{"t i j", box("t i j"), "A[t+1 %2][i][j] = " + star("A", "t %2", ij, 1)}),
			"-1*dt <= ds0 <= 1*dt; -1*dt <= ds1 <= 1*dt", Sizes{H: 2, W: []int64{3, 32}}},
		{"heat-2d", program("N T", nest{"t i j", box("t i j"), "A[t+1 %2][i][j] = " + dense("A", "t %2", ij)}),
			"-1*dt <= ds0 <= 1*dt; -1*dt <= ds1 <= 1*dt", Sizes{H: 5, W: []int64{5, 64}}},
		{"fdtd-2d", program("N T",
			nest{"t j", "0 <= t < T and 0 <= j < N", "ey[0][j] = f[t]"},
			nest{"t i j", "0 <= t < T and 1 <= i < N and 0 <= j < N", "ey[i][j] = ey[i][j] hz[i][j] hz[i-1][j]"},
			nest{"t i j", "0 <= t < T and 0 <= i < N and 1 <= j < N", "ex[i][j] = ex[i][j] hz[i][j] hz[i][j-1]"},
			nest{"t i j", "0 <= t < T and 0 <= i < N-1 and 0 <= j < N-1", "hz[i][j] = hz[i][j] ex[i][j+1] ex[i][j] ey[i+1][j] ey[i][j]"}),
			"-1*dt <= ds0 <= 1*dt; -1*dt <= ds1 <= 1*dt", Sizes{H: 3, W: []int64{3, 32}}},
		{"laplacian-3d", program("N T", nest{"t i j k", box("t i j k"), "A[t+1 %2][i][j][k] = " + star("A", "t %2", ijk, 1)}),
			"-1*dt <= ds0 <= 1*dt; -1*dt <= ds1 <= 1*dt; -1*dt <= ds2 <= 1*dt", Sizes{H: 2, W: []int64{3, 4, 32}}},
		{"heat-3d", program("N T", nest{"t i j k", box("t i j k"), "A[t+1 %2][i][j][k] = " + dense("A", "t %2", ijk)}),
			"-1*dt <= ds0 <= 1*dt; -1*dt <= ds1 <= 1*dt; -1*dt <= ds2 <= 1*dt", Sizes{H: 2, W: []int64{3, 4, 32}}},
		{"asymmetric", program("N T", nest{"t i", "2 <= t < T and 2 <= i < N-2", "A[t][i] = A[t-2][i-2] A[t-1][i+2]"}),
			"-2*dt <= ds0 <= 1*dt", Sizes{H: 2, W: []int64{3}}},
		{"halves", program("N T", nest{"t i", "3 <= t < T and 2 <= i < N-2", "A[t][i] = A[t-2][i-1] A[t-3][i+1]"}),
			"-1/3*dt <= ds0 <= 1/2*dt", Sizes{H: 4, W: []int64{1}}},
		{"lean", program("N T", nest{"t i", "1 <= t < T and 2 <= i < N", "A[t][i] = A[t-1][i-2] A[t-1][i-1]"}),
			"-0*dt <= ds0 <= 2*dt", Sizes{H: 2, W: []int64{1}}},
		{"wave-2d", program("N T", nest{"t i j", "1 <= t < T and 1 <= i < N-1 and 1 <= j < N-1",
			"A[t+1 %3][i][j] = A[t+2 %3][i][j] " + star("A", "t %3", ij, 1)}),
			"-1*dt <= ds0 <= 1*dt; -1*dt <= ds1 <= 1*dt", Sizes{H: 2, W: []int64{3, 32}}},
		{"copy-back", program("N T",
			nest{"t i", "0 <= t < T and 1 <= i < N-1", "B[i] = A[i-1] A[i] A[i+1]"},
			nest{"t i", "0 <= t < T and 1 <= i < N-1", "A[i] = B[i]"}),
			"-1*dt <= ds0 <= 1*dt", Sizes{H: 3, W: []int64{2}}},
		{"three-copies", program("N T",
			nest{"t i j", box("t i j"), "B[i][j] = A[i-1][j] A[i+1][j] A[i][j-1] A[i][j+1]"},
			nest{"t i j", box("t i j"), "C[i][j] = B[i][j]"},
			nest{"t i j", box("t i j"), "A[i][j] = C[i][j]"}),
			"-1*dt <= ds0 <= 1*dt; -1*dt <= ds1 <= 1*dt", Sizes{H: 3, W: []int64{3, 16}}},
	}
}

// paramPrefix returns "[N, M] -> ", or nothing where there are no parameters.
func paramPrefix(p *scop.Program) string {
	if len(p.Params) == 0 {
		return ""
	}
	return "[" + strings.Join(p.ParamNames(), ", ") + "] -> "
}
