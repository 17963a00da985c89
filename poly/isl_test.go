package poly

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// This file compares operations with isl, by way of its Python module islpy: one process checks all results.

// An islProcess answers checks.
type islProcess struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// startISL starts python3, or what HEXCC_PYTHON says, with testdata/isl.py. Without islpy the test is skipped, except in CI.
func startISL(t *testing.T) *islProcess {
	python := "python3"
	if p := os.Getenv("HEXCC_PYTHON"); p != "" {
		python = p
	}
	if err := exec.Command(python, "-c", "import islpy").Run(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s has no islpy: %v", python, err)
		}
		t.Skipf("%s has no islpy", python)
	}
	cmd := exec.Command(python, "testdata/isl.py")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return &islProcess{in, bufio.NewReader(out)}
}

// check compares the result got of an operation with isl's.
func (p *islProcess) check(t *testing.T, op string, a, b, got any) {
	t.Helper()
	line := fmt.Sprintf("%s|%v|%v|%v\n", op, a, b, got)
	if _, err := io.WriteString(p.in, line); err != nil {
		t.Fatal(err)
	}
	answer, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if answer = strings.TrimSpace(answer); answer != "ok" {
		t.Errorf("%s\na   = %v\nb   = %v\ngot   %v\nisl:  %s", op, a, b, got, answer)
	}
}

// TestISLSets compares operations on random sets, bounded and not.
func TestISLSets(t *testing.T) {
	isl := startISL(t)
	for seed := range *rounds {
		g := newGen(1000 + seed)
		a, b := g.sampleSet(g.IntN(3), g.IntN(2) == 0), g.sampleSet(g.IntN(3), false)
		isl.check(t, "parse", g.text(b.formula, ""), "", b.set)
		isl.check(t, "union", a.set, b.set, a.set.Union(b.set))
		isl.check(t, "intersect", a.set, b.set, a.set.Intersect(b.set))
		isl.check(t, "subtract", a.set, b.set, a.set.Subtract(b.set))
		isl.check(t, "coalesce", a.set, b.set, a.set.Union(b.set).Coalesce())
		isl.check(t, "gist", a.set, b.set, a.set.Gist(b.set))
		isl.check(t, "hull", a.set, b.set, a.set.Union(b.set).SimpleHull())
		isl.check(t, "empty", a.set.Intersect(b.set), "", a.set.Intersect(b.set).IsEmpty())
		isl.check(t, "subset", a.set, b.set, a.set.IsSubset(b.set))
		isl.check(t, "equal", a.set, b.set, a.set.IsEqual(b.set))
		if box := MustSet("[N] -> { S[i, j] : -9 <= i, j <= 9 }").Intersect(a.set); !box.IsEmpty() {
			isl.check(t, "lexmin", box, "", box.LexMin())
			isl.check(t, "lexmax", box, "", box.LexMax())
		}
		if len(a.set.parts) == 1 {
			anonymous := renameTuple(a.set)
			isl.check(t, "project 1", anonymous, "", anonymous.ProjectOut("j"))
			isl.check(t, "project 0", anonymous, "", anonymous.ProjectOut("i"))
		}
	}
}

// renameTuple returns s without the names of its tuples, which isl's projections do not keep.
func renameTuple(s Set) Set {
	return MustMap("{ S[i, j] -> [i, j] }").Apply(s)
}

// TestISLMaps compares operations on random relations, bounded and not.
func TestISLMaps(t *testing.T) {
	isl := startISL(t)
	relation := func(g *gen, from, to string, bounded bool) Map {
		f := g.formula([]string{"N", "i", "j"}, g.IntN(3))
		box := ""
		if bounded {
			box = "-9 <= i, j <= 9 and "
		}
		text := fmt.Sprintf("[N] -> { %s[i] -> %s[j] : %s%s }", from, to, box, f.text)
		m := MustMap(text)
		isl.check(t, "parse map", text, "", m)
		return m
	}
	for seed := range *rounds {
		g := newGen(2000 + seed)
		a, b := relation(g, "A", "B", g.IntN(2) == 0), relation(g, "B", "C", false)
		isl.check(t, "inverse", a, "", a.Inverse())
		isl.check(t, "compose", a, b, a.ApplyRange(b))
		isl.check(t, "domain", a, "", a.Domain())
		isl.check(t, "range", a, "", a.Range())
		isl.check(t, "apply", a.Range(), b, b.Apply(a.Range()))
		d := relation(g, "B", "D", false)
		isl.check(t, "apply domain", b, d, b.ApplyDomain(d))
		box := relation(g, "A", "B", true)
		if len(box.parts) == 1 { // isl may take minutes for unions
			isl.check(t, "map lexmin", box, "", box.LexMin())
			isl.check(t, "map lexmax", box, "", box.LexMax())
		}
		isl.check(t, "subtract maps", a, box, a.Subtract(box))
		c := relation(g, "A", "A", g.IntN(2) == 0)
		isl.check(t, "deltas", c, "", c.Deltas())
	}
}

// TestISLEmptiness compares emptiness of systems with large coefficients, which are unbounded as often as not.
func TestISLEmptiness(t *testing.T) {
	isl := startISL(t)
	empty := 0
	for seed := range 4 * *rounds {
		g := newGen(3000 + seed)
		g.coef, g.con, g.plain = 3+g.IntN(30), 5+g.IntN(100), true
		rows := make([]string, 3+g.IntN(6))
		for i := range rows {
			rows[i] = g.atom([]string{"N", "i", "j", "k", "l"}).text
		}
		text := "[N] -> { S[i, j, k, l] : " + strings.Join(rows, " and ") + " }"
		s := MustSet(text)
		if s.IsEmpty() {
			empty++
		}
		isl.check(t, "empty", text, "", s.IsEmpty())
	}
	t.Logf("%d of %d are empty", empty, 4**rounds)
}
