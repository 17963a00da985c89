package gpu

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
)

// String returns the program in a notation near CUDA: for (x : lo..hi) is a
// loop on all threads, threads (x.y : lo..hi) deals its points to threads of that axis.
func (p *Program) String() string {
	var w printer
	if p.Chains == nil {
		w.Line("host: for (%s : %v..%v)", p.T, p.TLo, p.THi)
	} else {
		w.Line("chains: (%s : %v..%v), each when it is its turn, with", p.T, p.TLo, p.THi)
	}
	w.Nest(func() {
		for _, k := range p.Kernels {
			where := ""
			if k.Work != nil {
				where = fmt.Sprintf(" if %v", k.Work)
			}
			var grid []string
			for _, x := range k.Grid {
				grid = append(grid, fmt.Sprintf("%s : %v..%v", x.Var, x.Lo, x.Hi))
			}
			w.Line("%s<<<%s, (%d, %d, %d)>>>%s", k.Name, strings.Join(grid, "; "), k.Threads[0], k.Threads[1], k.Threads[2], where)
		}
	})
	if p.Chains != nil {
		for line := range strings.Lines(p.Waits()) {
			w.Line("%s", strings.TrimSuffix(line, "\n"))
		}
	}
	for _, k := range p.Kernels {
		w.kernel(k)
	}
	if pipe := p.Pipeline(); pipe != nil {
		w.pipeline(pipe)
	}
	for _, r := range p.Remarks {
		w.Line("remark: %s", r)
	}
	return w.String()
}

// A printer prints the nodes of kernels.
type printer struct{ astgen.Lines }

func (w *printer) kernel(k *Kernel) {
	var blocks []string
	for _, x := range k.Grid {
		blocks = append(blocks, x.Var)
	}
	w.Line("kernel %s(%s): %d bytes shared", k.Name, strings.Join(blocks, ", "), k.SharedBytes())
	w.Nest(func() {
		for _, b := range k.Shared {
			w.buffer(b)
		}
		w.nodes(k.Body)
	})
}

func (w *printer) buffer(b *Buffer) {
	var shape, from strings.Builder
	for i, n := range b.Shape {
		fmt.Fprintf(&shape, "[%d]", n)
		if b.Wrap[i] {
			fmt.Fprintf(&from, "[= mod %d]", n)
		} else if b.Mod[i] > 0 {
			fmt.Fprintf(&from, "[%v mod %d]", b.Origin[i], b.Mod[i])
		} else if b.Down != nil && b.Down[i] {
			fmt.Fprintf(&from, "[down from %v]", b.Origin[i])
		} else {
			fmt.Fprintf(&from, "[%v]", b.Origin[i])
		}
	}
	w.Line("shared %s %s%s = %s%s", b.Array.Elem, b.Name, &shape, b.Array.Name, &from)
}

func (w *printer) nodes(ns []Node) {
	for _, n := range ns {
		w.node(n)
	}
}

func (w *printer) node(n Node) {
	switch n := n.(type) {
	case For:
		w.Line("for (%s : %v..%v)", n.Var, n.Lo, n.Hi)
		w.Nest(func() { w.nodes(n.Body) })
	case Test:
		w.Line("%s = %s%v%s", n.Var, given(n.Given), n.Cond, note(n.Role))
	case If:
		w.Line("if (%s%v)%s", given(n.Given), n.Cond, note(n.Role))
		w.Nest(func() { w.nodes(n.Then) })
		if len(n.Else) > 0 {
			w.Line("else")
			w.Nest(func() { w.nodes(n.Else) })
		}
	case Barrier:
		w.Line("barrier%s", note(n.Role))
	case Await:
		if n.Var == "" {
			w.Line("await the end of all")
		} else {
			w.Line("await %v", affine.Var(n.Var).Add(n.Lag))
		}
	case Signal:
		w.Line("signal %s", n.Var)
	case Arrive:
		w.Line("await copies")
	case Threads:
		w.threads(n)
	case Stream:
		w.stream(n)
	default:
		panic(fmt.Sprintf("gpu: unknown node %T", n))
	}
}

func given(test string) string {
	if test == "" {
		return ""
	}
	return test + " and "
}

func note(r Role) string {
	if r == (Role{}) {
		return ""
	}
	return " // " + r.String()
}

func (w *printer) threads(n Threads) {
	var loops []string
	for _, l := range n.Loops {
		axis := ""
		if l.Axis >= 0 {
			axis = "." + "xyz"[l.Axis:l.Axis+1]
		}
		loops = append(loops, fmt.Sprintf("%s%s : %v..%v", l.Var, axis, l.Lo, l.Hi))
	}
	w.Line("threads (%s)%s", strings.Join(loops, ", "), note(n.Role))
	body := func() {
		for _, op := range n.Body {
			w.op(op)
		}
	}
	w.Nest(func() {
		if n.Guard == nil {
			body()
			return
		}
		w.Line("if (%v)", n.Guard)
		w.Nest(body)
	})
}

func (w *printer) op(op Op) {
	switch op := op.(type) {
	case Copy:
		if op.Async {
			w.Line("%v = %v, asynchronously", op.To, op.From)
		} else {
			w.Line("%v = %v", op.To, op.From)
		}
	case Load:
		w.Line("%s = %v", op.Reg, op.From)
	case Compute:
		refs := make([]string, len(op.Refs))
		for i, r := range op.Refs {
			if refs[i] = r.String(); op.Stmt.Accesses[i].Write {
				refs[i] = "=" + refs[i]
			}
		}
		w.Line("%s(%s) %s", op.Stmt.Name, exprs(op.Iters, ", "), strings.Join(refs, " "))
	default:
		panic(fmt.Sprintf("gpu: unknown operation %T", op))
	}
}

// String returns r in C's notation, after its register if it has one: v=A[0][3].
func (r Ref) String() string {
	if reg := r.Reg; reg != "" {
		r.Reg = ""
		return reg + "=" + r.String()
	}
	name := r.Array.Name
	if r.Buffer != nil {
		name = r.Buffer.Name
	}
	return name + "[" + exprs(r.Index, "][") + "]"
}

func exprs(es []affine.Expr, sep string) string {
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = fmt.Sprint(e)
	}
	return strings.Join(texts, sep)
}
