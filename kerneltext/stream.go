package kerneltext

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file prints pipelines of warps through whose registers rows stream, as functions of the device:
//
//	NAME_step0(to, row, ..)    a step of all columns of a lane
//	NAME_beat0<full>(..)       what warps of stage 0 do in a beat; rows and slots are its parameters, so that one function serves all beats of a turn
//	NAME_turn0<full>(..)       a turn: calls of those, each with the rows that it is their turn to be, and barriers
//	NAME_stage0(..)            the turns of a chain, in the warps of stage 0
//	NAME(..)                   the chain
//
// All are inlined into one kernel. A row is an array in registers, with room for columns of the lanes beside it in front of its own and
// behind them. Turns that are not full are code of their own, from the same text.

// A Pipeline is the text of a gpu.Pipeline.
type Pipeline struct {
	*gpu.Pipeline
	Name   string
	Text   string
	Runs   []Run // of Text
	Args   []Arg // but the chain, and the order
	Shared int   // bytes
	Uses   map[string]bool
}

// StreamName returns the name of the function that runs chains of a pipeline.
func (n Names) StreamName(version int) string {
	name := n.Function() + "_rows"
	if version > 0 {
		name += "_long"
	}
	return name
}

// pipeline returns the text of the pipeline that the kernels share, nil if there is none.
func (s *Spelling) pipeline(kernels []*gpu.Kernel, name string) *Pipeline {
	var found *gpu.Pipeline
	for _, k := range kernels {
		switch p := k.Pipeline(); {
		case p == nil:
		case found == nil:
			found = p
		case found != p:
			panic("kerneltext: the kernels have several pipelines")
		}
	}
	if found == nil {
		return nil
	}
	p := newStreamer(found, name, s)
	return p.print()
}

// own returns a name of the text's own, the same each time.
func (s *Spelling) own(want string) string {
	if s.owned[want] == "" {
		s.owned[want] = s.Fresh(want)
	}
	return s.owned[want]
}

// A streamer prints a pipeline.
type streamer struct {
	*gpu.Pipeline
	spelled *Spelling
	name    string
	layout  layout
	stages  []*stage
	members []member // of what lanes of all stages hold, where barriers are in one place
	text    strings.Builder
	ran     []Run                // statements in text
	made    map[string]*function // by their text less the name
	names   map[string]bool
	uses    map[string]bool
	written map[*scop.Array]bool
	// lists are the copies of rows that warps share, if they do; then there are so many words of a thread, and bits.
	lists                 []*sharedCopies
	shareWords, shareBits int
}

func newStreamer(p *gpu.Pipeline, name string, s *Spelling) *streamer {
	q := &streamer{
		Pipeline: p, spelled: s, name: name, made: map[string]*function{}, names: map[string]bool{},
		uses: map[string]bool{}, written: streamWrites(p),
	}
	q.share()
	for i := range p.Stages {
		q.stages = append(q.stages, newStage(q, i))
	}
	q.layout = layoutOf(q)
	return q
}

// streamWrites returns the arrays that p writes in global memory.
func streamWrites(p *gpu.Pipeline) map[*scop.Array]bool {
	found := map[*scop.Array]bool{}
	for _, st := range p.Stages {
		for _, ops := range st.Beats {
			for _, op := range ops {
				if e, ok := op.(gpu.Evaluate); ok {
					for _, a := range e.Stmt.Accesses {
						if a.Write {
							found[a.Array] = true
						}
					}
				}
			}
		}
	}
	return found
}

// print returns the text of the pipeline.
func (p *streamer) print() *Pipeline {
	copies := p.copies()
	var calls []string
	s := p.scope()
	if p.spelled.Dialect.Lanes.Together {
		p.together(s, copies)
	} else {
		var stages []*function
		for _, st := range p.stages {
			stages = append(stages, st.print(copies))
		}
		for _, f := range stages {
			calls = append(calls, s.called(f, nil))
		}
	}
	v := p.Vars
	var own []param
	if o := p.spelled.Orders; o != nil {
		own = []param{{o.Name, p.spelled.Dialect.Order + o.Name}}
		delete(s.Uses, o.Name)
	}
	uses := maps.Clone(s.Uses)
	body := p.scope()
	body.Line("hexcc_meet(); // the first thread has noted which chain it is")
	p.beginChain(body)
	maps.Copy(body.Uses, s.Uses)
	set := func(name, value string) {
		if uses[name] {
			body.Line("const int %s = %s;", name, value)
			delete(body.Uses, name)
		}
	}
	lanes := p.spelled.Dialect.Lanes
	set(p.thread(), lanes.Thread)
	set(p.lane(), lanes.Lane)
	body.Line("const int %s = %s;", v.Warp, lanes.Warp)
	delete(body.Uses, v.Warp)
	for i, call := range calls {
		st := p.Stages[i]
		head := fmt.Sprintf("if (%s < %d)", v.Warp, st.First+st.Count)
		if i == len(calls)-1 {
			head = ""
		}
		if i > 0 {
			head = strings.TrimSuffix("else "+head, " ")
		}
		if head != "" {
			body.Line("%s", head)
			body.Depth++
		}
		body.Line("%s;", call)
		if head != "" {
			body.Depth--
		}
	}
	body.Raw(s.Buf.String())
	if !lanes.Together {
		body.Line("hexcc_arrived();")
	}
	params := slices.Concat(own, body.global())
	f := body.define("", fmt.Sprintf("A chain: its beats, in %d warps. Stages begin with warp %s.", p.Warps, p.firsts()), "", "void", own)
	text, head := strings.Replace(p.text.String(), f.name+"(", p.name+"(", 1), p.head() // of the last function, behind all runs
	out := &Pipeline{Pipeline: p.Pipeline, Name: p.name, Text: head + text, Runs: Moved(p.ran, len(head)), Shared: p.layout.bytes, Uses: p.uses}
	out.Args = p.arguments(params)
	return out
}

// about declares the time and the column of the chain, if s uses them.
func (s *scope) about(where *scope) {
	v, index := s.streamer.Vars, s.streamer.spelled.Index
	for _, x := range [][2]string{{v.Time, "time"}, {v.Column, "column"}, {v.Line, "line"}} {
		if s.Uses[x[0]] {
			where.Line("const %v %s = %s;", index, x[0], s.noted(x[1]))
			delete(s.Uses, x[0])
		}
	}
}

// beginChain prints what the first thread notes for all: where turns are full.
func (p *streamer) beginChain(body *scope) {
	s := p.scope()
	s.Depth = 2
	index, v := p.spelled.Index, p.Vars
	pair := p.spelled.own("pair")
	if len(p.Full) == 1 {
		var rows []affine.Sum
		for _, e := range p.Full[0] {
			rows = append(rows, sum(e).Subst(map[string]affine.Sum{v.Last: affine.Var(v.Beat).Add(int64(p.Turn - 1))}))
		}
		s.Braces("", func() {
			s.Line("%s *const %s = %s; // the beats at which full turns may begin", p.inShared(index.String()), pair, p.sharedAt(index.String(), p.layout.full))
			s.Line("%s[0] = 0, %s[1] = -1;", pair, pair)
			s.beatRange(pair, rows)
			s.Line("%s[1] = %s[1] < %s ? %s[1] : %s;", pair, pair, p.hi(s), pair, p.hi(s))
		})
	} else if len(p.Full) > 1 {
		panic("kerneltext: full turns are more than one range")
	}
	delete(s.Uses, v.Beat)
	body.Braces("if (hexcc_first_thread())", func() {
		body.Line("const %v %s = %s;", index, v.Beat, p.noted("lo"))
		s.about(body)
		body.Raw(s.Buf.String())
	})
	maps.Copy(body.Uses, s.Uses)
}

func (p *streamer) firsts() string {
	var all []string
	for _, st := range p.Stages {
		all = append(all, fmt.Sprint(st.First))
	}
	return strings.Join(all, ", ")
}

// head says what the functions do.
func (p *streamer) head() string {
	var out ctext.Printer
	border := []string{
		"rows that a step has in use take turns at being the newest. Full turns have no boundary in them, nor the last steps: they",
		"test nothing. In steady turns, as at a side of the grid, all tests are the same in each beat, and no row is loaded or stored at a boundary.",
	}
	if p.spelled.Dialect.Lanes.Together {
		border[1] = "test nothing. All work-items of a group run the same barriers: between two of them each warp does what those of its stage do."
	}
	for _, line := range append([]string{
		fmt.Sprintf("Rows of %d columns, %d of them in each lane, stream through %d warps of %d steps. In a beat a warp runs its steps of one row each;",
			p.Columns*gpu.WarpLanes, p.Columns, p.Warps, p.Steps),
		fmt.Sprintf("each warp is %d beats behind the one before it, whose rows it gets through shared memory. In what %d beats are called, a turn, the", p.Period, p.Turn),
	}, border...) {
		out.Line("// %s", line)
	}
	return "\n" + out.Buf.String()
}

// arguments returns what the parameters of the pipeline are passed.
func (p *streamer) arguments(params []param) (args []Arg) {
	s := p.spelled
	has := func(name string) bool {
		return slices.ContainsFunc(params, func(q param) bool { return q.name == name })
	}
	for _, a := range s.Scop.Arrays {
		if name := s.Outer[a.Name]; has(name) {
			args = append(args, Arg{Name: name, Type: a.Elem, Array: a})
		}
	}
	for _, q := range s.Scop.Scalars {
		if name := s.Outer[q.Name]; has(name) {
			args = append(args, Arg{Name: name, Type: q.Type})
		}
	}
	for _, q := range s.Scop.Params {
		if name := s.Outer[q.Name]; has(name) {
			args = append(args, Arg{Name: name, Type: s.Index, Index: true})
		}
	}
	return args
}

// printStream prints the function that says what the stream of k runs.
func printStream(k *gpu.Kernel, st gpu.Stream, name string, s *Spelling) Kernel {
	p := &printer{Indexer: ctext.NewIndexer(s.Spelling), spelled: s, Kernel: k, written: s.Orders.ofAll}
	p.Depth = 1
	made := s.own("made")
	line := "0"
	if st.Line != nil {
		line = p.Expr(st.Line)
	}
	p.Line("const struct hexcc_stream %s = {%s, %s, %s, %s, %s};", made, p.Expr(st.Time), p.Expr(st.Column), line, p.Expr(st.Lo), p.Expr(st.Hi))
	p.Line("return %s;", made)
	body := p.Take()
	p.Depth = 0
	out := Kernel{Kernel: k, Name: name, Uses: p.Uses}
	decls := p.parameters(&out)
	p.Line("%s struct hexcc_stream %s(%s)", s.Dialect.Inline, name, strings.Join(decls[:len(decls)-1], ", ")) // less the order
	p.Raw("{\n" + body + "}\n")
	out.Text = p.Buf.String()
	return out
}
