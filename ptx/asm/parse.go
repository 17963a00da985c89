package asm

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Parse reads a file of PTX. The error says the line. What has no meaning for
// running or counting, such as debugging sections, is left out.
func Parse(text string) (m *Module, err error) {
	tokens, err := scan(text)
	if err != nil {
		return nil, fmt.Errorf("PTX: %w", err)
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(syntaxError)
			if !ok {
				panic(r)
			}
			m, err = nil, fmt.Errorf("PTX: %s", string(e))
		}
	}()
	p := &parser{tokens: tokens, regs: map[string]bool{"_": true}}
	m = p.module()
	if m.Version == "" || m.Target == "" {
		return nil, fmt.Errorf("PTX: no .version or no .target: is this PTX?")
	}
	return m, nil
}

// A syntaxError unwinds the parser.
type syntaxError string

type parser struct {
	tokens []token
	at     int
	regs   map[string]bool // registers whose names do not begin with %
	inner  []scope         // the blocks within the kernel around the next token, the innermost last
	blocks int             // so far
}

// A scope is the registers that a block within a kernel declares, under names of their own.
type scope map[string]string

// register returns what the register of that name is called in the kernel.
func (p *parser) register(name string) string {
	for _, s := range slices.Backward(p.inner) {
		if own, ok := s[name]; ok {
			return own
		}
	}
	return name
}

func (p *parser) fail(format string, args ...any) {
	line := 0
	if i := min(p.at, len(p.tokens)-1); i >= 0 {
		line = p.tokens[i].line
	}
	panic(syntaxError(fmt.Sprintf("line %d: ", line) + fmt.Sprintf(format, args...)))
}

// peek returns the next token, "" at the end.
func (p *parser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at].text
	}
	return ""
}

// next takes a token.
func (p *parser) next() string {
	t := p.peek()
	if t == "" {
		p.fail("the file ends here")
	}
	p.at++
	return t
}

func (p *parser) accept(text string) bool {
	if p.peek() != text {
		return false
	}
	p.at++
	return true
}

func (p *parser) want(text string) {
	if t := p.next(); t != text {
		p.at--
		p.fail("found %q, expected %q", t, text)
	}
}

// skip takes tokens up to and with end.
func (p *parser) skip(end string) {
	for p.next() != end {
	}
}

func (p *parser) number() int64 {
	text := p.next()
	sign := ""
	if text == "-" {
		sign, text = "-", p.next()
	}
	n, err := strconv.ParseInt(sign+strings.TrimRight(text, "U"), 0, 64)
	if err != nil {
		u, err := strconv.ParseUint(strings.TrimRight(text, "U"), 0, 64)
		if err != nil {
			p.fail("%q is not a number", text)
		}
		return int64(u)
	}
	return n
}

func (p *parser) module() *Module {
	m := &Module{}
	for p.peek() != "" {
		switch word := p.next(); word {
		case ".version":
			m.Version = p.next()
		case ".target":
			m.Target = p.next()
			for p.accept(",") {
				p.next()
			}
		case ".address_size":
			if n := p.number(); n != 64 {
				p.fail("addresses of %d bits: only those of 64 are read", n)
			}
		case ".visible", ".weak", ".common":
		case ".extern":
			m.Vars = append(m.Vars, p.variable(p.next(), true))
		case ".shared", ".const", ".global":
			m.Vars = append(m.Vars, p.variable(word, false))
		case ".func":
			if f := p.function(); f != nil {
				m.Funcs = append(m.Funcs, f)
			}
		case ".entry":
			m.Kernels = append(m.Kernels, p.kernel())
		case ".file":
			p.file()
		case ".section":
			p.skip("}")
		default:
			p.at--
			p.fail("%s is not read", word)
		}
	}
	return m
}

// file skips a .file directive, which ends without a mark.
func (p *parser) file() {
	p.next()
	p.next()
	for p.accept(",") {
		p.next()
	}
}

// variable reads what follows the space of a variable:
// .align 4 .b8 name[3120] = {..};
func (p *parser) variable(space string, extern bool) *Var {
	v := &Var{Space: strings.TrimPrefix(space, "."), Align: 1, Extern: extern}
	if extern && space != ".shared" {
		p.fail("an external variable in %s", space)
	}
	for p.peek() == ".align" || p.peek() == ".attribute" || p.peek() == ".ptr" {
		if p.next() != ".align" {
			p.fail("attributes of variables are not read")
		}
		v.Align = p.number()
	}
	elem := p.elemBytes()
	v.Align = max(v.Align, 1)
	v.Name = p.next()
	v.Bytes = elem
	for p.accept("[") {
		if p.accept("]") {
			v.Bytes = 0
			continue
		}
		v.Bytes *= p.number()
		p.want("]")
	}
	if p.accept("=") {
		v.Init = p.initial(elem)
	}
	p.want(";")
	return v
}

// elemBytes reads a type such as .b8 and returns its size.
func (p *parser) elemBytes() int64 {
	word := p.next()
	if !strings.HasPrefix(word, ".") {
		p.fail("%q is not a type", word)
	}
	n := size(word[1:])
	if n == 0 {
		p.fail("type %s is not read", word)
	}
	return n
}

// size returns the bytes of a type such as u32, 0 if it has none or is not known.
func size(t string) int64 {
	if len(t) < 2 || !strings.Contains("busf", t[:1]) {
		return 0
	}
	switch t[1:] {
	case "8":
		return 1
	case "16":
		return 2
	case "32":
		return 4
	case "64":
		return 8
	}
	return 0
}

// initial reads {1, 2, ..} of elements with so many bytes, or one value.
func (p *parser) initial(elem int64) (bytes []byte) {
	value := func() {
		bits := uint64(0)
		if o := p.operand(); o.Kind == Int || o.Kind == F32 || o.Kind == F64 {
			bits = o.Bits
		} else {
			p.fail("a variable that begins with %v", o)
		}
		bytes = append(bytes, binary.LittleEndian.AppendUint64(nil, bits)[:elem]...)
	}
	if !p.accept("{") {
		value()
		return bytes
	}
	for !p.accept("}") {
		value()
		p.accept(",")
	}
	return bytes
}

// function reads what follows .func; nil if it is only declared.
func (p *parser) function() *Kernel {
	f := &Kernel{Labels: map[string]int{}}
	if p.accept("(") {
		f.Results = p.paramsOf()
	}
	f.Name = p.next()
	if p.accept("(") {
		f.Params = p.paramsOf()
	}
	for strings.HasPrefix(p.peek(), ".") { // .noreturn
		p.next()
	}
	if p.accept(";") {
		return nil
	}
	p.want("{")
	p.body(f)
	return f
}

// paramsOf reads .param .align 16 .b8 name[16], .. ) of a function.
func (p *parser) paramsOf() (all []Param) {
	for !p.accept(")") {
		p.want(".param")
		if p.accept(".align") {
			p.number()
		}
		param := Param{Type: strings.TrimPrefix(p.next(), ".")}
		param.Name = p.next()
		if p.accept("[") {
			p.number()
			p.want("]")
		}
		all = append(all, param)
		p.accept(",")
	}
	return all
}

func (p *parser) kernel() *Kernel {
	k := &Kernel{Name: p.next(), Labels: map[string]int{}}
	if p.accept("(") {
		for !p.accept(")") {
			k.Params = append(k.Params, p.param()...)
			p.accept(",")
		}
	}
	for !p.accept("{") {
		switch word := p.next(); word {
		case ".maxntid", ".reqntid":
			k.Threads = [3]int{1, 1, 1}
			for i := range 3 {
				k.Threads[i] = int(p.number())
				if !p.accept(",") {
					break
				}
			}
		case ".minnctapersm":
			k.MinBlocks = int(p.number())
		case ".maxnreg":
			k.Registers = int(p.number())
		default:
			p.at--
			p.fail("%s is not read", word)
		}
	}
	p.body(k)
	return k
}

// param reads .param .u64 .ptr .global .align 4 name; or .param .align 8 .b8 name[72], of which each word is a parameter, name+8 the second.
func (p *parser) param() (all []Param) {
	p.want(".param")
	t := ""
	for strings.HasPrefix(p.peek(), ".") {
		switch word := p.next(); {
		case word == ".align":
			p.number()
		case t == "":
			t = word[1:]
		}
	}
	name := p.next()
	if t == "b8" && p.accept("[") {
		n := p.number()
		p.want("]")
		if n%8 != 0 {
			p.fail("parameter %s has %d bytes, which are no words of 64 bits", name, n)
		}
		for at := int64(0); at < n; at += 8 {
			all = append(all, Param{Name: wordOf(name, at), Type: "b64"})
		}
		return all
	}
	if size(t) < 4 {
		p.fail("a parameter of type .%s", t)
	}
	if p.peek() == "[" {
		p.fail("parameter %s is an array", name)
	}
	return []Param{{Name: name, Type: t}}
}

// wordOf is what the word of a parameter is called that begins at a byte.
func wordOf(name string, at int64) string {
	if at == 0 {
		return name
	}
	return fmt.Sprintf("%s%+d", name, at)
}

// body reads statements up to the brace that ends them.
func (p *parser) body(k *Kernel) {
	for {
		switch word := p.next(); {
		case word == "{":
			p.inner = append(p.inner, scope{})
			p.blocks++
		case word == "}":
			if len(p.inner) == 0 {
				return
			}
			p.inner = p.inner[:len(p.inner)-1]
		case word == ".reg":
			p.registers()
		case word == ".param": // of a call
			p.skip(";")
		case word == ".pragma":
			p.skip(";")
		case word == ".loc":
			p.loc()
		case word == ".shared" || word == ".local":
			k.Vars = append(k.Vars, p.variable(word, false))
		case strings.HasPrefix(word, "."):
			p.at--
			p.fail("%s is not read", word)
		case p.peek() == ":":
			p.next()
			if _, twice := k.Labels[word]; twice {
				p.fail("label %s stands twice", word)
			}
			k.Labels[word] = len(k.Insts)
		default:
			p.at--
			k.Insts = append(k.Insts, p.inst())
		}
	}
}

// registers reads the names behind .reg: .b32 %r<823>, or .b32 tmp. Those of a block hide others of their names.
func (p *parser) registers() {
	for word := p.next(); word != ";"; word = p.next() {
		if !isWord(word[0]) || word[0] == '.' {
			continue
		}
		if word[0] != '%' {
			p.regs[word] = true
		}
		if n := len(p.inner); n > 0 {
			p.inner[n-1][word] = fmt.Sprintf("%s'%d", word, p.blocks)
		}
	}
}

// loc skips .loc 1 30 5, function_name L, inlined_at 1 30 5
func (p *parser) loc() {
	line := p.tokens[p.at-1].line
	for p.at < len(p.tokens) && p.tokens[p.at].line == line {
		p.at++
	}
}

func (p *parser) inst() Inst {
	in := Inst{Line: p.tokens[p.at].line}
	if p.accept("@") {
		not := p.accept("!")
		in.Guard = Operand{Kind: Reg, Name: p.register(p.next()), Not: not}
	}
	in.Op, in.Mods = splitName(p.next())
	if in.Op == "call" {
		in.Args = p.call()
		return in
	}
	for !p.accept(";") {
		in.Args = append(in.Args, p.operand())
		if p.accept("|") { // a second result
			in.Args = append(in.Args, p.operand())
		}
		if !p.accept(",") && p.peek() != ";" {
			p.fail("found %q in the operands of %s", p.peek(), in.Op)
		}
	}
	return in
}

// call reads (result, ..), name, (argument, ..); of which the lists may be missing.
func (p *parser) call() []Operand {
	list := func() Operand {
		v := Operand{Kind: Vector}
		for p.accept("("); !p.accept(")"); p.accept(",") {
			v.Elems = append(v.Elems, Operand{Kind: Symbol, Name: p.next()})
		}
		return v
	}
	results, args := Operand{Kind: Vector}, Operand{Kind: Vector}
	if p.peek() == "(" {
		results = list()
		p.want(",")
	}
	name := Operand{Kind: Symbol, Name: p.next()}
	if p.accept(",") {
		args = list()
	}
	p.want(";")
	return []Operand{results, name, args}
}

func splitName(word string) (op string, mods []string) {
	parts := strings.Split(word, ".")
	return parts[0], parts[1:]
}

func (p *parser) operand() Operand {
	switch word := p.next(); {
	case word == "!":
		o := p.operand()
		o.Not = true
		return o
	case word == "{":
		v := Operand{Kind: Vector}
		for !p.accept("}") {
			v.Elems = append(v.Elems, p.operand())
			p.accept(",")
		}
		return v
	case word == "[":
		base := p.operand()
		a := Operand{Kind: Address, Elems: []Operand{base}, Offset: base.Offset}
		a.Elems[0].Offset = 0
		a.Offset += p.offset()
		p.want("]")
		return a
	case word == "-":
		p.at--
		return Operand{Kind: Int, Bits: uint64(p.number())}
	case word[0] == '%':
		if _, special := specials[word]; special {
			return Operand{Kind: Special, Name: word}
		}
		return Operand{Kind: Reg, Name: p.register(word)}
	case strings.HasPrefix(word, "0f") || strings.HasPrefix(word, "0F"):
		return p.float(word, F32, 32)
	case strings.HasPrefix(word, "0d") || strings.HasPrefix(word, "0D"):
		return p.float(word, F64, 64)
	case word[0] >= '0' && word[0] <= '9':
		p.at--
		return Operand{Kind: Int, Bits: uint64(p.number())}
	case p.regs[word]:
		return Operand{Kind: Reg, Name: p.register(word)}
	case isWord(word[0]):
		return Operand{Kind: Symbol, Name: word, Offset: p.offset()}
	default:
		p.at--
		p.fail("%q is not an operand", word)
	}
	panic("unreachable")
}

// offset reads +4, -4, +-4 or nothing.
func (p *parser) offset() int64 {
	switch {
	case p.accept("+"):
		return p.number()
	case p.peek() == "-":
		return p.number()
	}
	return 0
}

func (p *parser) float(word string, k Kind, bits int) Operand {
	u, err := strconv.ParseUint(word[2:], 16, bits)
	if err != nil || len(word) != 2+bits/4 {
		p.fail("%s is not a number of %d bits", word, bits)
	}
	return Operand{Kind: k, Bits: u}
}

// clockName is the register that tells the time, which is not the same each time it is read.
const clockName = "%globaltimer"

// specials are the registers of the hardware that are known.
var specials = map[string]func(t *thread) uint64{
	clockName:   func(t *thread) uint64 { return t.clock },
	"%laneid":   func(t *thread) uint64 { return uint64(t.lane) },
	"%tid.x":    func(t *thread) uint64 { return uint64(t.id[0]) },
	"%tid.y":    func(t *thread) uint64 { return uint64(t.id[1]) },
	"%tid.z":    func(t *thread) uint64 { return uint64(t.id[2]) },
	"%ntid.x":   func(t *thread) uint64 { return uint64(t.launch.Threads[0]) },
	"%ntid.y":   func(t *thread) uint64 { return uint64(t.launch.Threads[1]) },
	"%ntid.z":   func(t *thread) uint64 { return uint64(t.launch.Threads[2]) },
	"%ctaid.x":  func(t *thread) uint64 { return uint64(t.index % t.launch.Blocks[0]) },
	"%ctaid.y":  func(t *thread) uint64 { return uint64(t.index / t.launch.Blocks[0] % t.launch.Blocks[1]) },
	"%ctaid.z":  func(t *thread) uint64 { return uint64(t.index / t.launch.Blocks[0] / t.launch.Blocks[1]) },
	"%nctaid.x": func(t *thread) uint64 { return uint64(t.launch.Blocks[0]) },
	"%nctaid.y": func(t *thread) uint64 { return uint64(t.launch.Blocks[1]) },
	"%nctaid.z": func(t *thread) uint64 { return uint64(t.launch.Blocks[2]) },
}
