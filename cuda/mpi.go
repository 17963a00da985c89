package cuda

import (
	_ "embed" // the text of what moves boxes
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/mpitext"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// This file prints regions that run on several machines by MPI, the tiles of each rank as kernels on its GPU: for each region a function that has a communicator
// in front, and functions beside it, in one file. Those tiles of a phase that lie at the sides of a rank run in a stream that goes first, and what neighbours need of
// them is packed there, and sent, while the other tiles run.

//go:embed text/mpi.cu
var mpiText string

// mpiIncludes are the headers of MPI. Extensions say what a library knows of CUDA.
const mpiIncludes = `#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
`

// MPIFile returns the name of the file that has kernels and the functions of ranks.
func MPIFile(base string) string { return base + ".hex.cu" }

// An MPIPart is a region whose tiles ranks share out.
type MPIPart struct {
	Part
	Ranks *ranks.Plan
}

// MPIFiles are the texts of a translation for MPI.
type MPIFiles struct {
	Header string // declares the functions, for C and for C++
	Kernel string // CUDA C++
	Calls  []mpitext.Call
	// Shared is how many bytes of shared memory a block asks for at launch, by region, the most of all its kernels.
	Shared []int
}

// String returns the file of kernels.
func (f MPIFiles) String() string { return f.Kernel }

// Named returns the files to write.
func (f MPIFiles) Named(base string) []ctext.File {
	return []ctext.File{{Name: MPIFile(base), Text: f.Kernel}, {Name: ctext.HeaderFile(base), Text: f.Header}}
}

// Verify is that of Files.
func (f MPIFiles) Verify() error {
	for name, text := range map[string]string{"header": f.Header, "kernel file": f.Kernel} {
		if open, close := ctext.Braces(text); text == "" || open != close {
			return fmt.Errorf("%s has %d { and %d }", name, open, close)
		}
	}
	return nil
}

// PrintMPI returns the files of regions that run on several ranks, in source order: there is at least one, all with the same Base.
func PrintMPI(parts []MPIPart) (f MPIFiles) {
	var printed []part
	var all []mpitext.Declared
	for _, p := range parts {
		q, m := newMPIPart(p, len(parts) > 1)
		printed, all, f.Calls = append(printed, q), append(all, m), append(f.Calls, m.Call())
		f.Shared = append(f.Shared, Printed{q}.SharedBytes())
	}
	f.Kernel, _ = kernelFile(printed)
	base := parts[0].Names.Base
	f.Header = mpitext.Header(ctext.HeaderFile(base), base, parts[0].Program.Scop.File, all)
	return f
}

// newMPIPart prints a region.
func newMPIPart(p MPIPart, several bool) (part, *mpitext.Region) {
	s, h := newHost(p.Part)
	h.ranks = mpitext.New(&h.Printer, &h.Indexer, p.Ranks, mpitext.Name(p.Program.Scop, several))
	h.ranks.Device = true
	s.Local = map[*scop.Array]kerneltext.LocalExtent{}
	for _, a := range p.Ranks.Arrays {
		if name := h.ranks.Local[a.Array]; name != "" {
			s.Local[a.Array] = kerneltext.LocalExtent{Dim: a.Dim, Name: name}
			s.Vars[name] = true
		}
	}
	return h.printed(p.Part, s, h.mpi), h.ranks
}

// mpi prints the functions of the region.
func (h *host) mpi() {
	m := h.ranks
	text := m.Before()
	var launches [][]string
	for i := range h.Program.Kernels {
		launch, args := h.launchOfRank(i)
		text += launch
		launches = append(launches, args)
	}
	text += h.allowed() + h.runOfRank(launches) + m.Whole()
	h.Raw(text)
}

// apart returns the text that print prints, and the names that it uses, which are among those of the file, too.
func (h *host) apart(print func()) (text string, uses map[string]bool) {
	before := h.Uses
	h.Uses = map[string]bool{}
	h.Depth = 1
	print()
	h.Depth = 0
	text, uses = h.ranks.Take(), h.Uses
	for name := range uses {
		before[name] = true
	}
	h.Uses = before
	return text, uses
}

// launchOfRank returns the function that launches kernel i for some of its tiles along S0, and what it is passed behind them.
func (h *host) launchOfRank(i int) (text string, args []string) {
	k := h.Program.Kernels[i]
	outer := k.Grid[len(k.Grid)-1]
	interval := *k
	interval.Grid = append(append(interval.Grid[:0:0], k.Grid[:len(k.Grid)-1]...), outer)
	interval.Grid[len(k.Grid)-1].Lo, interval.Grid[len(k.Grid)-1].Hi = affine.Var("hexcc_from"), affine.Var("hexcc_to")
	h.Vars["hexcc_from"], h.Vars["hexcc_to"] = true, true
	body, uses := h.apart(func() {
		h.Line("cudaError_t error = cudaSuccess;")
		h.Line("if (hexcc_gpu->error != cudaSuccess)")
		h.Line("  return;")
		h.Choose()
		for _, v := range h.versions {
			for _, a := range v.Printed[i].Args {
				h.Uses[a.Name] = true
			}
		}
		h.Launches(&interval, h.spelled.Blocks, kerneltext.MaxGrid, func(slabs []kerneltext.Slab) {
			h.Uses["min"] = true
			counts := kerneltext.BlocksOf(slabs, h.Prefix)
			h.Line("const dim3 blocks(%s);", strings.Join(counts, ", "))
			h.Chosen(func(version int) { h.start(h.versions[version], i, slabs) })
		})
		h.Raw("done:\n")
		h.Line("hexcc_gpu->error = error;")
	})
	var decls []string
	add := func(name, decl string) {
		if uses[name] {
			decls, args = append(decls, decl), append(args, name)
		}
	}
	for _, q := range h.Program.Scop.Params {
		add(h.Outer[q.Name], fmt.Sprintf("%v %s", h.Index, h.Outer[q.Name]))
	}
	for _, q := range h.Program.Scop.Scalars {
		add(h.Outer[q.Name], fmt.Sprintf("%v %s", q.Type, h.Outer[q.Name]))
	}
	add(h.Program.T, fmt.Sprintf("%v %s", h.Index, h.Program.T))
	for _, a := range h.Program.Scop.Arrays {
		add(h.Outer[a.Name], fmt.Sprintf("%s *%s", a.Elem.InMemory(), h.Outer[a.Name]))
		if l, ok := h.spelled.Local[a]; ok {
			add(l.Name, fmt.Sprintf("%v %s", h.Index, l.Name))
		}
	}
	decls = append([]string{"struct hexcc_gpu *hexcc_gpu, cudaStream_t stream, long long hexcc_from, long long hexcc_to"}, decls...)
	return fmt.Sprintf("// Launches the tiles of phase %d from one along %s to another one.\nstatic void %s_phase%d(%s)\n{\n%s}\n\n",
		k.Phase, outer.Var, h.ranks.Name, i, strings.Join(decls, ", "), body), args
}

// allowed prints the function that allows kernels the shared memory that they ask for.
func (h *host) allowed() string {
	text, _ := h.apart(func() {
		for _, k := range h.kernels() {
			if k.Dynamic > 0 {
				h.Line("HEXCC_GPU(%s);", allow(k.Name, k.Dynamic))
			}
		}
		h.Line("(void)gpu;")
	})
	return fmt.Sprintf("// Allows kernels the shared memory that they ask for.\nstatic void %s_allow(struct hexcc_gpu *gpu)\n{\n%s}\n\n", h.ranks.Name, text)
}

// runOfRank returns the function of the region.
func (h *host) runOfRank(launches [][]string) string {
	m, p := h.ranks, h.Program.Scop
	body, _ := h.apart(func() {
		h.Line("struct %s_state hexcc_r;", m.Name)
		h.Line("struct hexcc_gpu hexcc_device, *const gpu = &hexcc_device;")
		h.Line("MPI_Comm hexcc_own;")
		for _, q := range p.Params {
			if cond := h.beyond(q); cond != "" {
				h.Line("if (%s)", cond)
				h.Line("  return hexcc_wrong(hexcc_comm, \"%s\", \"%%s is beyond %%lld, what indices of the kernels can be\", %s, %dLL);", m.Name, ctext.Quote(q.Name), h.Program.Most)
			}
		}
		m.Start()
		given := func(a scop.Object) string { return object(m.Object(a.Array, a.Index)) }
		m.Given(given)
		m.Walls(given)
		h.arrays()
		t := h.Program.T
		lo, hi := h.Fresh(t+"_lo"), h.Fresh(t+"_hi")
		h.Line("const %v %s = %s, %s = %s; // time tiles", h.Index, lo, h.Expr(h.Program.TLo), hi, h.Expr(h.Program.THi))
		h.Line("MPI_Comm_dup(hexcc_comm, &hexcc_own);")
		h.Line("%s_allow(gpu);", m.Name)
		h.Line("int hexcc_failed = hexcc_gpu_failed(gpu, hexcc_own, \"%s\"), hexcc_opened = 0;", m.Name)
		h.Braces("if (!hexcc_failed)", func() {
			h.Line("hexcc_opened = 1;")
			h.Line("if (hexcc_any(hexcc_own, %s_open(gpu, &hexcc_r, hexcc_own, %s, %s)))", m.Name, lo, hi)
			h.Line("  hexcc_failed = hexcc_gpu_failed(gpu, hexcc_own, \"%s\") || hexcc_wrong(hexcc_own, \"%s\", \"a message of more than 2 GiB\");", m.Name, m.Name)
		})
		h.Braces("if (!hexcc_failed)", func() {
			h.Line("%s_expect(&hexcc_r, 0, %s);", m.Name, lo)
			h.exchange(0, lo)
			h.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", h.Index, t, lo, t, hi, t), func() {
				for i := range launches {
					h.phaseOfRank(i, launches[i])
				}
			})
		})
		h.Line("hexcc_gpu_wait(gpu);")
		h.Line("for (int hexcc_which = 0; hexcc_opened && hexcc_which < %d; hexcc_which++) {", len(m.Plan.Messages()))
		h.Line("  hexcc_message_close(gpu, &hexcc_r.send[hexcc_which]);")
		h.Line("  hexcc_message_close(gpu, &hexcc_r.receive[hexcc_which]);")
		h.Line("}")
		for i, a := range p.Arrays {
			h.Line("hexcc_gpu_out(gpu, hexcc_objects_%d, %d, hexcc_bytes_%d, hexcc_memory_%d, !hexcc_failed && %v);", i, len(a.Objects()), i, i, p.Writes(a))
		}
		h.Line("hexcc_gpu_close(gpu);")
		h.Line("if (!hexcc_failed)")
		h.Line("  hexcc_failed = hexcc_gpu_failed(gpu, hexcc_own, \"%s\");", m.Name)
		h.Line("MPI_Comm_free(&hexcc_own);")
		h.Line("return hexcc_failed;")
	})
	var decls, outer []string
	for _, q := range p.Params {
		decls = append(decls, fmt.Sprintf("%v %s", h.Index, h.Outer[q.Name]))
	}
	for _, q := range p.Scalars {
		decls = append(decls, fmt.Sprintf("%v %s", q.Type, h.Outer[q.Name]))
	}
	for _, a := range p.Arrays {
		for k := range a.Objects() {
			decls = append(decls, "const void *"+object(m.Object(a, k)))
		}
	}
	for _, f := range m.Formals() {
		outer = append(outer, f.Decl)
	}
	return fmt.Sprintf("static int %s_run(MPI_Comm hexcc_comm, %s)\n{\n%s}\n\nextern \"C\" int %s(MPI_Comm hexcc_comm, %s)\n{\n  return %s_run(hexcc_comm, %s);\n}\n",
		m.Name, strings.Join(decls, ", "), body, m.Name, strings.Join(outer, ", "), m.Name, strings.Join(m.InOrder(), ", "))
}

// object returns the name of an object of an array that the caller has, by its number among all of them.
func object(n int) string { return fmt.Sprint("hexcc_given_", n) }

// beyond returns the condition that a parameter is so large that indices of 64 bits do not suffice, "" if none is.
func (h *host) beyond(q scop.Param) string {
	most := h.Program.Most
	if _, hi := q.Type.Range(); q.Type.Size() <= scop.Int.Size() && hi <= most {
		return ""
	}
	return fmt.Sprintf("%s > %dL || %s < -%dL", h.Outer[q.Name], most, h.Outer[q.Name], most)
}

// arrays prints what of arrays the rank has on its device, with pointers by which kernels find elements of it by subscripts of the whole array.
func (h *host) arrays() {
	m, p := h.ranks, h.Program.Scop
	passed, all := m.Passed(), []string{}
	for _, a := range p.Arrays {
		for k := range a.Objects() {
			all = append(all, "(void *)"+object(m.Object(a, k)))
		}
	}
	h.Line("void *const hexcc_all[] = {%s};", strings.Join(all, ", "))
	h.Line("hexcc_gpu_open(gpu, hexcc_comm, \"%s\", hexcc_all, %d);", m.Name, len(all))
	h.Line("hexcc_mpi_part hexcc_part;")
	for i, a := range p.Arrays {
		n, first := len(a.Objects()), m.Object(a, 0)
		h.Line("%s_part_of(hexcc_r.rank, hexcc_r.size, %s%d, &hexcc_part);", m.Name, passed, i)
		h.Line("void *const *const hexcc_objects_%d = hexcc_all + %d;", i, first)
		h.Line("const unsigned long long hexcc_bytes_%d = hexcc_part.bytes;", i)
		h.Line("char *const hexcc_memory_%d = hexcc_gpu_in(gpu, hexcc_objects_%d, %d, hexcc_bytes_%d);", i, i, n, i)
		shift := "0"
		if dim := m.Plan.Arrays[i].Dim; dim >= 0 {
			d := dim - len(a.Extents) + len(a.ObjectExtents())
			h.Line("hexcc_r.rows[%d] = hexcc_part.count[%d];", i, d)
			if l, ok := h.spelled.Local[a]; ok {
				h.Line("const %v %s = (%v)hexcc_part.count[%d];", h.Index, l.Name, h.Index, d)
				h.Line("(void)%s;", l.Name)
			}
			shift = fmt.Sprintf("hexcc_part.first[%d] * %d", d, a.Elem.Size()) // of a ring: 0
			for _, e := range a.Extents[dim+1:] {
				shift += " * (long long)" + h.Factor(h.Affine(e))
			}
		}
		h.Line("%s *const %s = (%s *)((uintptr_t)hexcc_memory_%d - (uintptr_t)(%s));", a.Elem.InMemory(), h.Outer[a.Name], a.Elem.InMemory(), i, shift)
		h.Line("(void)%s;", h.Outer[a.Name])
		for k := range n {
			h.Line("hexcc_r.arrays[%d] = (char *)%s + (unsigned long long)%d * hexcc_bytes_%d;", first+k, h.Outer[a.Name], k, i)
		}
	}
}

// exchange prints what is packed, sent, awaited and unpacked after a phase, those messages being of a number: the last two behind the other tiles.
func (h *host) exchange(number int, t string) {
	name := h.ranks.Name
	h.Line("%s_pack(gpu, &hexcc_r, %d, %s);", name, number, t)
	h.Line("hexcc_stage(gpu, &hexcc_r.send[%d], 0);", 2*number)
	h.Line("hexcc_gpu_mark(gpu);")
	h.Line("while (hexcc_gpu_packs(gpu)) // the other tiles go on meanwhile")
	h.Line("  %s_progress(&hexcc_r, %d);", name, number)
	h.Line("%s_send(&hexcc_r, %d);", name, number)
	h.Line("%s_await(&hexcc_r, %d);", name, number)
	h.Line("hexcc_side_after_rest(gpu);")
	h.Line("hexcc_stage(gpu, &hexcc_r.receive[%d], 1);", 2*number)
	h.Line("%s_unpack(gpu, &hexcc_r, %d, %s);", name, number, t)
	h.Line("hexcc_rest_after_side(gpu);")
}

// phaseOfRank prints a phase: the tiles at the sides of the rank, then the others.
func (h *host) phaseOfRank(i int, args []string) {
	k := h.Program.Kernels[i]
	x, t := k.Grid[len(k.Grid)-1], h.Program.T
	launch := func(stream, from, to string) string {
		return fmt.Sprintf("%s_phase%d(%s);", h.ranks.Name, i, strings.Join(append([]string{"gpu", "gpu->" + stream, from, to}, args...), ", "))
	}
	for _, name := range args {
		h.Uses[name] = true
	}
	h.Line("// phase %d", k.Phase)
	h.Braces("", func() {
		h.Line("const long long hexcc_first = hexcc_most(%s, hexcc_r.begin), hexcc_last = hexcc_least(%s, hexcc_r.end - 1);", h.Expr(x.Lo), h.Expr(x.Hi))
		h.Line("%s_expect(&hexcc_r, %d, %s);", h.ranks.Name, i+1, t)
		cond := h.Work(k.Work)
		if cond != "" {
			cond = "if (" + cond + ")"
		}
		h.Braces(cond, func() {
			h.Line("if (hexcc_first <= hexcc_last)")
			h.Line("  %s", launch("side", "hexcc_first", "hexcc_first"))
			h.Line("if (hexcc_first < hexcc_last)")
			h.Line("  %s", launch("side", "hexcc_last", "hexcc_last"))
			h.Line("if (hexcc_first + 1 < hexcc_last)")
			h.Line("  %s", launch("rest", "hexcc_first + 1", "hexcc_last - 1"))
		})
		h.exchange(i+1, t)
	})
}
