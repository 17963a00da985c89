package kerneltext

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// A printer prints one gpu.Kernel.
type printer struct {
	ctext.Printer
	ctext.Indexer
	spelled *Spelling
	*gpu.Kernel
	role   gpu.Role // the last one printed, if it still holds
	scoped bool     // the operations to print stand between braces of their own
	runs   []Run    // what has been printed of statements

	written   map[*scop.Array]bool // of arrays in global memory, by the kernel
	strides   []stride             // that have a variable here
	addressed int                  // elements by them since they were taken for new
}

// A Kernel is the text of a kernel and what the host must know to launch it.
type Kernel struct {
	*gpu.Kernel
	Name    string // in the text
	Text    string
	Args    []Arg    // what the host passes, in order
	First   []string // by axis of the grid, the argument that is the tile of block 0; none: the function of a chain
	Dynamic int      // bytes of shared memory to ask for at launch
	Shared  int      // bytes of shared memory, asked for or declared
	Lanes   int      // of the warps whose lanes exchange values; 0: none do
	Uses    map[string]bool
	Runs    []Run
}

// An Arg is an argument of a kernel, by its spelled name.
type Arg struct {
	Name  string
	Index bool        // it has the type of indices
	Type  scop.Type   // of the argument, or of the elements of Array
	Array *scop.Array // nil: a number
}

// Print returns k in the dialect of s, under the given name.
func Print(k *gpu.Kernel, name string, s *Spelling) Kernel {
	if st, ok := k.Stream(); ok {
		return printStream(k, st, name, s)
	}
	clear(s.Alias)
	for axis, lane := range k.ThreadVars {
		s.Alias[lane] = axes[axis]
	}
	p := &printer{Indexer: ctext.NewIndexer(s.Spelling), spelled: s, Kernel: k, written: Writes(k.Body)}
	if s.Orders != nil {
		p.written = s.Orders.ofAll
	}
	p.Depth = 1
	p.nodes(k.Body)
	body := p.Take()
	out := Kernel{Kernel: k, Name: name, Uses: p.Uses, Shared: int(k.SharedBytes())}
	for _, x := range k.Grid {
		if s.Orders == nil {
			out.First = append(out.First, s.Blocks[x.Var].First)
		}
	}
	p.Depth = 0
	decls := p.parameters(&out)
	if n, limit := int(k.SharedBytes()), s.Dialect.StaticShared; limit > 0 && n > limit || s.Orders != nil {
		out.Dynamic = n
	}
	if s.Orders == nil {
		p.Line("%s", s.Dialect.Head(k))
	} else {
		p.Line("%s", s.Dialect.Chain)
	}
	p.Line("%s(%s)", name, strings.Join(decls, ", "))
	p.Line("{")
	p.Depth = 1
	p.shared(out.Dynamic > 0)
	p.indices(s.Orders == nil)
	p.constants()
	out.Runs = Moved(p.runs, p.Buf.Len())
	p.Raw(body)
	p.Depth = 0
	p.Line("}")
	out.Text = p.Buf.String()
	return out
}

// Threads returns the threads of a block of k along x, y and z, at least 1 each.
func Threads(k *gpu.Kernel) [3]int {
	return [3]int{max(1, k.Threads[0]), max(1, k.Threads[1]), max(1, k.Threads[2])}
}

// parameters returns the declarations of what the kernel uses: arrays, scalars,
// parameters, the time tile and the first tile.
func (k *printer) parameters(out *Kernel) []string {
	var decls []string
	for _, a := range k.Scop.Arrays {
		name := k.Outer[a.Name]
		if !k.Uses[name] {
			continue
		}
		decls = append(decls, k.pointer(a)+name)
		out.Args = append(out.Args, Arg{Name: name, Type: a.Elem, Array: a})
	}
	add := func(t scop.Type, name string, index bool) {
		if k.Uses[name] {
			decls = append(decls, fmt.Sprintf("%v %s", t, name))
			out.Args = append(out.Args, Arg{Name: name, Index: index, Type: t})
		}
	}
	for _, s := range k.Scop.Scalars {
		add(s.Type, k.Outer[s.Name], false)
	}
	for _, p := range k.Scop.Params {
		add(k.Index, k.Outer[p.Name], true)
	}
	for _, a := range k.Scop.Arrays {
		if l, ok := k.spelled.Local[a]; ok {
			add(k.Index, l.Name, true)
		}
	}
	add(k.Index, k.spelled.TimeTile, true)
	for i, x := range k.Grid {
		switch {
		case !k.Uses[x.Var]:
		case k.spelled.Orders != nil:
			add(k.Index, x.Var, true)
		default:
			k.Uses[out.First[i]] = true
			add(k.Index, out.First[i], true)
		}
	}
	if o := k.spelled.Orders; o != nil {
		decls = append(decls, k.spelled.Dialect.Order+o.Name)
	}
	return decls
}

// pointer returns the type of the parameter for a. That nothing else leads to
// the array is said if the kernel only reads it: of an array that it writes,
// the other threads of the block reach the same elements through parameters of
// their own, and a compiler told otherwise might keep a value over a barrier.
func (k *printer) pointer(a *scop.Array) string { return k.spelled.pointer(a, k.written[a]) }

func (s *Spelling) pointer(a *scop.Array, written bool) string {
	d := s.Dialect
	if written {
		return fmt.Sprintf("%s%s *", d.Global, a.Elem.InMemory())
	}
	return fmt.Sprintf("%sconst %s *%s ", d.Global, a.Elem.InMemory(), d.Restrict)
}

// Writes returns the arrays that nodes write in global memory.
func Writes(nodes []gpu.Node) map[*scop.Array]bool {
	found := map[*scop.Array]bool{}
	var walk func([]gpu.Node)
	walk = func(nodes []gpu.Node) {
		for _, n := range nodes {
			switch n := n.(type) {
			case gpu.Stream:
				maps.Copy(found, streamWrites(n.Pipeline))
			case gpu.For:
				walk(n.Body)
			case gpu.If:
				walk(n.Then)
				walk(n.Else)
			case gpu.Threads:
				for _, op := range n.Body {
					for _, r := range writtenRefs(op) {
						if r.Buffer == nil {
							found[r.Array] = true
						}
					}
				}
			}
		}
	}
	walk(nodes)
	return found
}

// writtenRefs returns what op writes.
func writtenRefs(op gpu.Op) []gpu.Ref {
	switch op := op.(type) {
	case gpu.Copy:
		return []gpu.Ref{op.To}
	case gpu.Load:
		return nil
	case gpu.Compute:
		var refs []gpu.Ref
		for i, a := range op.Stmt.Accesses {
			if a.Write {
				refs = append(refs, op.Refs[i])
			}
		}
		return refs
	}
	panic(fmt.Sprintf("kerneltext: writtenRefs: unknown op %T", op))
}

// shared declares the buffers, as arrays or as parts of dynamic shared memory.
func (k *printer) shared(dynamic bool) {
	offsets, d := Place(k.Shared), k.spelled.Dialect
	for _, b := range k.Shared {
		switch {
		case !k.Uses[b.Name]:
		case !dynamic:
			k.Line("%s %s %s%s;", d.Shared, b.Array.Elem.InMemory(), b.Name, brackets(b.Shape))
		case len(b.Shape) > 1:
			t := fmt.Sprintf("%s (*%%s)%s", b.Array.Elem.InMemory(), brackets(b.Shape[1:]))
			k.Line("%s = (%s)(%s + %d);", fmt.Sprintf(t, b.Name), fmt.Sprintf(t, ""), d.DynamicShared, offsets[b])
		default:
			k.Line("%s *%s = (%s *)(%s + %d);", b.Array.Elem.InMemory(), b.Name, b.Array.Elem.InMemory(), d.DynamicShared, offsets[b])
		}
	}
}

// Place returns the offset of each buffer in bytes: those with the largest
// elements first, so that all are aligned without gaps.
func Place(buffers []*gpu.Buffer) map[*gpu.Buffer]int64 {
	sorted := slices.SortedStableFunc(slices.Values(buffers), func(a, b *gpu.Buffer) int {
		return b.Array.Elem.Size() - a.Array.Elem.Size()
	})
	offsets, next := map[*gpu.Buffer]int64{}, int64(0)
	for _, b := range sorted {
		offsets[b] = next
		next += b.Bytes()
	}
	return offsets
}

func brackets(shape []int64) string {
	var b strings.Builder
	for _, n := range shape {
		fmt.Fprintf(&b, "[%d]", n)
	}
	return b.String()
}

// indices declares the block's tile, if the index of the block says it, and the thread indices that are used.
func (k *printer) indices(block bool) {
	for i, x := range k.Grid {
		if block && k.Uses[x.Var] {
			k.Line("const %v %s = %s + (%v)%s;", k.Index, x.Var, k.spelled.Blocks[x.Var].First, k.Index, k.spelled.Dialect.BlockIndex[i])
		}
	}
	for axis, name := range axes {
		if k.Uses[name] {
			k.Line("const int %s = %s;", name, k.spelled.Dialect.ThreadIndex[axis])
		}
	}
	k.Blank()
}

// constants declares the constants of the source that are used.
func (k *printer) constants() {
	lines := k.Constants()
	for _, line := range lines {
		k.Line("%s", line)
	}
	if len(lines) > 0 {
		k.Blank()
	}
}

func (k *printer) nodes(nodes []gpu.Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.For:
			k.loop(n)
		case gpu.Test:
			k.Line("const bool %s = %s;%s", n.Var, k.uniform(n.Given, n.Cond, n.Tested), comment(n.Role))
		case gpu.If:
			k.branch(n)
		case gpu.Barrier:
			k.Line("%s;%s", k.spelled.Dialect.Barrier, comment(n.Role))
			k.role = gpu.Role{}
			k.anew()
		case gpu.Arrive:
			k.Line("hexcc_arrived();")
		case gpu.Await:
			k.await(n)
		case gpu.Signal:
			k.signal(n)
		case gpu.Threads:
			k.threads(n)
		default:
			panic(fmt.Sprintf("kerneltext: nodes: unknown node %T", n))
		}
	}
}

func comment(r gpu.Role) string {
	if r == (gpu.Role{}) {
		return ""
	}
	return " // " + strings.ReplaceAll(r.String(), "\n", " ")
}

func (k *printer) loop(n gpu.For) {
	head := fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", k.Index, n.Var, k.Expr(n.Lo), n.Var, k.Expr(n.Hi), n.Var)
	k.Braces(head, func() { k.nodes(n.Body) })
}

// uniform returns the condition that an earlier test, unless "", and c hold, and that the strides have at most 32 bits.
func (k *printer) uniform(given string, c astgen.Cond, strides []gpu.Stride) string {
	var all []string
	if given != "" {
		all = append(all, given)
	}
	if small := k.small(strides); small != "" {
		all = append(all, small)
	}
	cond := k.Cond(c)
	if cond != "" && len(c) > 1 && len(all) > 0 {
		cond = "(" + cond + ")"
	}
	if cond != "" {
		all = append(all, cond)
	}
	if len(all) == 0 {
		return "true"
	}
	return strings.Join(all, " && ")
}

func (k *printer) branch(n gpu.If) {
	k.Line("if (%s) {%s", k.uniform(n.Given, n.Cond, n.Tested), comment(n.Role))
	k.role = n.Role
	k.Depth++
	end := func() {}
	if n.Role.Kind == gpu.FullTile {
		end = k.columns(n.Then)
	}
	done := k.bases(n)
	k.nodes(n.Then)
	done()
	end()
	k.Depth--
	k.role = gpu.Role{}
	if len(n.Else) > 0 {
		k.Line("} else {")
		k.Depth++
		k.nodes(n.Else)
		k.Depth--
	}
	k.Line("}")
}

// Uses returns the helpers, macros and names that the kernels use.
func Uses(kernels []Kernel) map[string]bool {
	uses := map[string]bool{}
	for _, k := range kernels {
		maps.Copy(uses, k.Uses)
	}
	return uses
}
