package kerneltext

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints functions of the device that take what their text uses as parameters.

// A function is one of the device, and how it is called.
type function struct {
	name   string
	params []param
}

type param struct{ name, declared string }

// call returns the call of f. What args has not is passed by its name in f.
func (f *function) call(args map[string]string) string {
	var all []string
	for _, q := range f.params {
		if a, ok := args[q.name]; ok {
			all = append(all, a)
		} else {
			all = append(all, q.name)
		}
	}
	return f.name + "(" + strings.Join(all, ", ") + ")"
}

// A scope is the body of a function while it is printed.
type scope struct {
	printer
	*streamer
}

func (p *streamer) scope() *scope {
	s := &scope{streamer: p}
	s.printer = printer{Indexer: ctext.NewIndexer(p.spelled.Spelling), spelled: p.spelled, Kernel: &gpu.Kernel{}, written: p.written}
	s.Depth = 1
	return s
}

// called returns a call of f in s, and notes what it uses.
func (s *scope) called(f *function, args map[string]string) string {
	for _, q := range f.params {
		if _, given := args[q.name]; !given {
			s.Uses[q.name] = true
		}
	}
	return f.call(args)
}

// lane and the others are names that the functions give to what all of them know.
func (p *streamer) lane() string   { return p.spelled.own("lane") }
func (p *streamer) thread() string { return p.spelled.own("thread") }
func (p *streamer) full() string   { return p.spelled.own("full") }
func (p *streamer) state() string  { return p.spelled.own("w") }
func (p *streamer) column() string { return p.spelled.own("x") }

// use notes and returns a name.
func (s *scope) use(name string) string {
	s.Uses[name] = true
	return name
}

// global are the parameters that stand for what s uses of the program and of the pipeline.
func (s *scope) global() (params []param) {
	add := func(name, declared string) {
		if s.Uses[name] {
			params = append(params, param{name, declared + name})
		}
	}
	sp := s.streamer.spelled
	for _, a := range sp.Scop.Arrays {
		add(sp.Outer[a.Name], sp.pointer(a, s.streamer.written[a]))
	}
	for _, q := range sp.Scop.Scalars {
		add(sp.Outer[q.Name], q.Type.String()+" ")
	}
	index := sp.Index.String() + " "
	for _, q := range sp.Scop.Params {
		add(sp.Outer[q.Name], index)
	}
	v := s.streamer.Vars
	for _, name := range []string{v.Time, v.Column, v.Line, v.Beat, v.Last, v.At} {
		add(name, index)
	}
	for _, name := range []string{v.Warp, s.lane(), s.thread()} {
		add(name, "int ")
	}
	return params
}

// define makes a function of what s holds, unless there is one with that text. Own are parameters beside those of global.
func (s *scope) define(hint, comment, head, result string, own []param) *function {
	p := s.streamer
	params := slices.Concat(own, s.global())
	if lanes := p.spelled.Dialect.Lanes; !lanes.Templates && strings.Contains(s.Buf.String(), sharedBase) {
		params = append(params, param{sharedBase, lanes.Shared + "char *" + sharedBase})
	}
	var decls []string
	for _, q := range params {
		decls = append(decls, q.declared)
	}
	body := s.Buf.String()
	var constants strings.Builder
	for _, line := range s.Constants() {
		constants.WriteString("  " + line + "\n")
	}
	body = constants.String() + body
	key, _ := ctext.Unplaced(comment + head + result + strings.Join(decls, ", ") + body)
	if f := p.made[key]; f != nil {
		return f
	}
	maps.Copy(p.uses, s.Uses)
	f := &function{name: p.fresh(hint), params: params}
	p.made[key] = f
	var out ctext.Printer
	out.Line("// %s", comment)
	if head != "" {
		out.Line("%s", head)
	}
	out.Line("%s %s %s(%s)", p.spelled.Dialect.Inline, result, f.name, strings.Join(decls, ", "))
	p.text.WriteString("\n" + out.Buf.String() + "{\n" + constants.String())
	p.ran = append(p.ran, Moved(s.runs, p.text.Len())...)
	p.text.WriteString(s.Buf.String() + "}\n")
	return f
}

// fresh returns a name for a function.
func (p *streamer) fresh(hint string) string {
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s_%s%d", p.name, hint, i)
		if !p.names[name] {
			p.names[name] = true
			return name
		}
	}
}

// condition returns the call of a function that tells whether c holds, "" where it always does.
func (s *scope) test(hint, comment string, c astgen.Cond, args map[string]string) string {
	in := s.streamer.scope()
	text := in.Cond(c)
	if text == "" || text == "false" {
		return text
	}
	in.Line("return %s;", text)
	return s.called(in.define(hint, comment, "", "bool", nil), args)
}
