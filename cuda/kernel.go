package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// staticShared is how many bytes a kernel may declare as __shared__ arrays. More
// must be asked for at launch.
const staticShared = 48 << 10

// A kernel prints one gpu.Kernel.
type kernel struct {
	ctext.Printer
	ctext.Indexer
	spelled *spelling
	*gpu.Kernel
	name   string
	first  string // parameter: the tile of block 0
	note   string // the last one printed, if it still holds
	scoped bool   // the operations to print stand between braces of their own
	runs   []run  // what has been printed of statements
}

// A printedKernel is the text of a kernel and what the host must know to launch it.
type printedKernel struct {
	*gpu.Kernel
	name    string
	text    string
	args    []string // what the host passes, in order; arrays by their spelled names
	arrays  map[string]bool
	first   string
	dynamic int // bytes of shared memory to ask for at launch
	uses    map[string]bool
	runs    []run
}

// printKernel prints k under the given name.
func printKernel(k *gpu.Kernel, name string, s *spelling) printedKernel {
	clear(s.Alias)
	for axis, lane := range k.Lanes {
		s.Alias[lane] = axes[axis].name
	}
	p := &kernel{Indexer: ctext.NewIndexer(s.Spelling), spelled: s, Kernel: k, name: name, first: s.blocks[k.Block].first}
	p.Depth = 1
	p.nodes(k.Body)
	body := p.Buf.String()

	p.Buf.Reset()
	out := printedKernel{Kernel: k, name: name, first: p.first, uses: p.Uses, arrays: map[string]bool{}}
	p.Depth = 0
	decls := p.parameters(&out)
	if d := sharedBytes(k); d > staticShared {
		out.dynamic = d
	}
	bounds := fmt.Sprint(threads(k))
	if k.Resident > 1 {
		bounds = fmt.Sprintf("%s, %d", bounds, k.Resident)
	}
	p.Line("__global__ void __launch_bounds__(%s)", bounds)
	p.Line("%s(%s)", name, strings.Join(decls, ", "))
	p.Line("{")
	p.Depth = 1
	p.shared(out.dynamic > 0)
	p.indices()
	out.runs = moved(p.runs, p.Buf.Len())
	p.Raw(body)
	p.Depth = 0
	p.Line("}")
	out.text = p.Buf.String()
	return out
}

func threads(k *gpu.Kernel) int {
	return max(1, k.Threads[0]) * max(1, k.Threads[1]) * max(1, k.Threads[2])
}

// parameters returns the declarations of what the kernel uses: arrays, scalars,
// parameters, the time tile and the first tile.
func (k *kernel) parameters(out *printedKernel) []string {
	var decls []string
	written := writes(k.Body)
	for _, a := range k.Scop.Arrays {
		name := k.Outer[a.Name]
		if !k.Uses[name] {
			continue
		}
		qualifier := ""
		if !written[a] {
			qualifier = "const "
		}
		decls = append(decls, fmt.Sprintf("%s%v *__restrict__ %s", qualifier, a.Elem, name))
		out.args, out.arrays[name] = append(out.args, name), true
	}
	add := func(t scop.Type, name string) {
		if k.Uses[name] {
			decls = append(decls, fmt.Sprintf("%v %s", t, name))
			out.args = append(out.args, name)
		}
	}
	for _, s := range k.Scop.Scalars {
		add(s.Type, k.Outer[s.Name])
	}
	for _, p := range k.Scop.Params {
		add(k.Index, k.Outer[p.Name])
	}
	add(k.Index, k.spelled.timeTile)
	if k.Uses[k.Block] {
		k.Uses[k.first] = true
		add(k.Index, k.first)
	}
	return decls
}

// writes returns the arrays that nodes write in global memory.
func writes(nodes []gpu.Node) map[*scop.Array]bool {
	found := map[*scop.Array]bool{}
	var walk func([]gpu.Node)
	walk = func(nodes []gpu.Node) {
		for _, n := range nodes {
			switch n := n.(type) {
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
	panic(fmt.Sprintf("cuda: writtenRefs: unknown op %T", op))
}

// sharedBytes returns the bytes of the buffers of k.
func sharedBytes(k *gpu.Kernel) int {
	bytes := 0
	for _, b := range k.Shared {
		bytes += int(b.Bytes())
	}
	return bytes
}

// shared declares the buffers, as arrays or as parts of dynamic shared memory.
func (k *kernel) shared(dynamic bool) {
	offsets := place(k.Shared)
	for _, b := range k.Shared {
		switch {
		case !k.Uses[b.Name]:
		case !dynamic:
			k.Line("__shared__ %v %s%s;", b.Array.Elem, b.Name, brackets(b.Shape))
		case len(b.Shape) > 1:
			t := fmt.Sprintf("%v (*%%s)%s", b.Array.Elem, brackets(b.Shape[1:]))
			k.Line("%s = (%s)(hexcc_shared + %d);", fmt.Sprintf(t, b.Name), fmt.Sprintf(t, ""), offsets[b])
		default:
			k.Line("%v *%s = (%v *)(hexcc_shared + %d);", b.Array.Elem, b.Name, b.Array.Elem, offsets[b])
		}
	}
}

// place returns the offset of each buffer in bytes: those with the largest
// elements first, so that all are aligned without gaps.
func place(buffers []*gpu.Buffer) map[*gpu.Buffer]int64 {
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

// indices declares the block's tile and the thread indices that are used.
func (k *kernel) indices() {
	if k.Uses[k.Block] {
		k.Line("const %v %s = %s + (%v)blockIdx.x;", k.Index, k.Block, k.first, k.Index)
	}
	for _, a := range axes {
		if k.Uses[a.name] {
			k.Line("const int %s = %s;", a.name, a.cuda)
		}
	}
	k.Blank()
}

func (k *kernel) nodes(nodes []gpu.Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.For:
			k.loop(n)
		case gpu.If:
			k.branch(n)
		case gpu.Barrier:
			k.Line("__syncthreads();%s", comment(n.Note))
			k.note = ""
		case gpu.Threads:
			k.threads(n)
		default:
			panic(fmt.Sprintf("cuda: nodes: unknown node %T", n))
		}
	}
}

func comment(note string) string {
	if note == "" {
		return ""
	}
	return " // " + strings.ReplaceAll(note, "\n", " ")
}

func (k *kernel) loop(n gpu.For) {
	head := fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", k.Index, n.Var, k.Expr(n.Lo), n.Var, k.Expr(n.Hi), n.Var)
	k.Braces(head, func() { k.nodes(n.Body) })
}

func (k *kernel) branch(n gpu.If) {
	cond := k.Cond(n.Cond)
	if cond == "" {
		cond = "true"
	}
	k.Line("if (%s) {%s", cond, comment(n.Note))
	k.note = n.Note
	k.Depth++
	end := func() {}
	if n.Note == gpu.FullTile {
		end = k.columns(n.Then)
	}
	k.nodes(n.Then)
	end()
	k.Depth--
	k.note = ""
	if len(n.Else) > 0 {
		k.Line("} else {")
		k.Depth++
		k.nodes(n.Else)
		k.Depth--
	}
	k.Line("}")
}
