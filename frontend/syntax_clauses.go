package frontend

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file reads #pragma hexcc, which says how to translate the region whose
// #pragma scop follows.

// A Clause is one wish of #pragma hexcc, such as tile(h=3,w0=5).
type Clause struct {
	Name  string // one of ClauseNames
	Value string // what stands in the parentheses, without blanks
	At    diag.Span
}

// ClauseNames are the clauses of #pragma hexcc that are also flags of that name.
var ClauseNames = []string{
	"tile", "strategy", "arch", "order", "fuse", "fission", "fold", "reassociate", "stream", "launch", "kernel", "pipeline", "memory", "leave", "unroll", "place", "block", "elements", "registers", "occupancy", "prefetch",
}

// checkClause says after how many steps the end of a loop is tested: check(every:16).
const checkClause = "check"

var clauseRule = "allowed: " + strings.Join(ClauseNames, ", ") + " and check, each at most once, as in #pragma hexcc tile(h=3,w0=5) arch(sm_90)"

// takeCheck takes check out of the clauses of r, and notes what it says, and the lines of the others.
func (r *region) takeCheck() (wrong *diag.Diagnostic) {
	kept := r.clauses[:0:0]
	for _, c := range r.clauses {
		if r.first == 0 {
			r.first = c.At.Line
		}
		if c.Name != checkClause {
			kept, r.wishes = append(kept, c), append(r.wishes, fmt.Sprintf("#pragma hexcc %s(%s)", c.Name, c.Value))
			continue
		}
		n, ok := strings.CutPrefix(c.Value, "every:")
		if _, err := fmt.Sscanf(n, "%d", &r.every); !ok || err != nil || fmt.Sprint(r.every) != n || r.every < 1 || r.every > most {
			wrong = clauseError(c.At, fmt.Sprintf("clause 'check': '%s' is not every:N, with N from 1 to %d", c.Value, most))
		}
	}
	r.clauses = kept
	return wrong
}

// lonelyCheck is the error of a region whose end is tested for nothing.
func lonelyCheck(r region) *diag.Diagnostic {
	d := clauseError(r.at, "clause 'check' before a region of which no loop ends by a value that each step computes")
	d.Help = "leave it out"
	return d
}

// most is how many steps of a loop run at most without a test of whether it ends.
const most = 1 << 20

// clauses reads the pragmas before the region that begins at open.
func (f *file) clauses(pragmas []pragma) (found []Clause, errs diag.List) {
	for i := range pragmas {
		more, wrong := f.clausesOf(&pragmas[i])
		for _, c := range more {
			if slices.ContainsFunc(found, func(o Clause) bool { return o.Name == c.Name }) {
				wrong = append(wrong, clauseError(c.At, fmt.Sprintf("clause '%s' is given twice", c.Name)))
			}
			found = append(found, c)
		}
		errs = append(errs, wrong...)
	}
	return found, errs
}

// clausesOf reads NAME(VALUE) NAME(VALUE)... The first mistake ends it.
func (f *file) clausesOf(p *pragma) (found []Clause, errs diag.List) {
	toks := p.toks
	if len(toks) == 0 {
		return nil, diag.List{clauseError(pragmaSpan(f, p), "#pragma hexcc without a clause")}
	}
	for len(toks) > 0 {
		name := toks[0]
		if name.SrcStr() != checkClause && !slices.Contains(ClauseNames, name.SrcStr()) {
			return found, diag.List{clauseError(f.span(tokenAt(name)), fmt.Sprintf("'%s' is no clause of #pragma hexcc", name.SrcStr()))}
		}
		isClose := func(t cc.Token) bool { return t.SrcStr() == ")" }
		end := slices.IndexFunc(toks, isClose)
		if len(toks) < 2 || toks[1].SrcStr() != "(" || end < 0 {
			return found, diag.List{clauseError(f.span(tokenAt(name)), fmt.Sprintf("clause '%s' has no value in parentheses", name.SrcStr()))}
		}
		var value strings.Builder
		for _, t := range toks[2:end] {
			value.WriteString(t.SrcStr())
		}
		c := Clause{name.SrcStr(), value.String(), f.span(tokenAt(name).to(tokenAt(toks[end])))}
		if c.Value == "" {
			return found, diag.List{clauseError(c.At, fmt.Sprintf("clause '%s' is empty", c.Name))}
		}
		found = append(found, c)
		toks = toks[end+1:]
	}
	return found, nil
}

// clauseError says what is wrong with a clause.
func clauseError(at diag.Span, msg string) *diag.Diagnostic {
	return &diag.Diagnostic{Code: "HX013", At: at, Msg: msg, Notes: []diag.Note{{Msg: clauseRule}},
		Help: "hexcc explain HX013 shows the clauses"}
}

var betweenPragmas = regexp.MustCompile(`^([ \t\r\n]|//[^\n]*\n|/\*(?s:.*?)\*/|#[^\n]*\n)*$`)

// directlyBefore reports whether only comments and pragmas stand between p and q.
func (f *file) directlyBefore(p, q *pragma) bool {
	if f.offset(q.pos) < f.offset(p.pos) {
		return false // q is in another file
	}
	from, to := f.lines[p.pos.Line], f.lines[q.pos.Line-1] // p is not on the last line
	return betweenPragmas.Match(f.text[from:to])
}

func lonelyClauses(f *file, p *pragma) *diag.Diagnostic {
	d := clauseError(pragmaSpan(f, p), "#pragma hexcc is not directly before #pragma scop")
	d.Help = "put it on the line before #pragma scop"
	return d
}

// fromOperator is where the C front end says that the text of _Pragma stands.
const fromOperator = "_Pragma_"

var operator = regexp.MustCompile(`_Pragma[ \t]*\([ \t]*"[ \t]*(scop|endscop|hexcc)\b`)

// operatorPragma is the error of a region marked by _Pragma.
func operatorPragma(f *file, p *pragma) *diag.Diagnostic {
	d := &diag.Diagnostic{Code: "HX014", At: diag.Span{Pos: diag.Pos{File: f.name}},
		Msg:   fmt.Sprintf(`_Pragma("%s") marks no region`, p.word),
		Notes: []diag.Note{{Msg: "the lines from #pragma scop to #pragma endscop are replaced, and a macro may stand anywhere"}},
		Help:  fmt.Sprintf("write #pragma %s on a line of its own", p.word)}
	for _, at := range operator.FindAllSubmatchIndex(f.text, -1) {
		if string(f.text[at[2]:at[3]]) == p.word {
			d.At = f.spanOf(at[0], at[1])
			break
		}
	}
	return d
}
