package frontend

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"
	"modernc.org/token"
)

// This file finds what is attached to types and to variables and is not part of the model:
// attributes such as vector_size and packed, #pragma pack, _Atomic, and volatile behind a typedef. The C front end
// parses most of them and forgets them. Whatever is not known to change no value and no layout counts.

// harmless are the attributes that leave values and layouts as they are, without underscores around.
var harmless = strings.Fields(`
	unused maybe_unused used deprecated unavailable retain section visibility externally_visible nocommon common
	nonstring tls_model nonnull returns_nonnull warn_unused_result nodiscard fallthrough assume assume_aligned
	const pure noinline always_inline artificial gnu_inline hot cold flatten leaf nothrow noclone noipa no_icf noplt
	no_instrument_function no_sanitize no_sanitize_address no_sanitize_thread no_sanitize_undefined no_stack_protector
	no_reorder optimize target target_clones malloc alloc_size alloc_align format format_arg sentinel access
	designated_init warn_if_not_aligned copy error warning simd stack_protect no_split_stack`)

// attributes is what is attached to the types of a translation unit, by declaration: for each that is not harmless its
// text, such as vector_size(16).
type attributes struct {
	of     map[*cc.Declarator]string
	types  map[*cc.TypeName]string
	names  map[string]string // of typedefs, tags with their keyword in front, and functions with () behind
	packed []packing
	fields map[reflect.Type][]int // by kind of node, those that lead to nodes
}

// A packing is a #pragma pack, or another that changes the layout of structs.
type packing struct {
	pos  token.Position
	text string // what is in force from here on, "" for the default
}

// attaching matches what attributes looks for.
var attaching = regexp.MustCompile(`\b(__attribute__|_Atomic|volatile)\b`)

// allHarmless reports whether nothing in a text that has been preprocessed attaches more than words of harmless: it knows no comments and strings, and says
// no where it does not know.
func allHarmless(text []byte) bool {
	for _, at := range attaching.FindAllIndex(text, -1) {
		if text[at[0]] != '_' || text[at[0]+1] != '_' {
			return false
		}
		depth, i := 0, at[1]
	list:
		for ; i < len(text); i++ {
			switch c := text[i]; {
			case c == '(':
				depth++
			case c == ')':
				if depth--; depth == 0 {
					break list
				}
			case depth == 0 && c != ' ' && c != '\n' || c == '"' || c == '\'':
				return false
			case inWord(text[i:]) > 0:
				n := wordLen(text[i:])
				if word := strings.Trim(string(text[i:i+n]), "_"); depth == 2 && !slices.Contains(harmless, word) {
					return false
				}
				i += n - 1
			}
		}
	}
	return true
}

// newAttributes looks through ast, which is what text means after preprocessing.
func newAttributes(ast *cc.AST, text []byte, packed []packing) *attributes {
	a := &attributes{of: map[*cc.Declarator]string{}, types: map[*cc.TypeName]string{}, names: map[string]string{}, fields: map[reflect.Type][]int{}, packed: packed}
	if len(packed) == 0 && allHarmless(text) {
		return a // to look through all of a large file takes time
	}
	a.visit(reflect.ValueOf(ast.TranslationUnit), nil)
	if len(a.names) > 0 {
		a.visit(reflect.ValueOf(ast.TranslationUnit), nil) // what is named before it is defined
	}
	return a
}

// A declared is a declaration that is being visited.
type declared struct {
	found       []string // what is attached to it
	declarators []*cc.Declarator
	tags        []string // of types that it defines
}

// attach notes text, unless it is "".
func (d *declared) attach(text string) {
	if d != nil && text != "" {
		d.found = append(d.found, text)
	}
}

// visit looks through v, a part of the syntax tree, which belongs to d.
func (a *attributes) visit(v reflect.Value, d *declared) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return
	}
	switch n := v.Interface().(type) {
	case *cc.FunctionDefinition:
		a.function(n)
	case *cc.Declaration, *cc.ParameterDeclaration:
		a.declaration(v)
	case *cc.StructDeclaration:
		if text := a.declaration(v); !isQualifier(text) {
			d.attach(text) // what moves one member moves others
		}
	case *cc.TypeName:
		a.types[n] = a.declaration(v)
		d.attach(a.types[n])
	case *cc.Initializer:
		a.parts(v, nil)
	case *cc.StructOrUnionSpecifier:
		a.structOrUnion(n, d)
	case *cc.AttributeValue:
		d.attach(attribute(n))
	default:
		a.attach(n, d)
		a.parts(v, d)
	}
}

// function visits the head of n, which is a declaration, and its body.
func (a *attributes) function(n *cc.FunctionDefinition) {
	in := &declared{}
	a.visit(reflect.ValueOf(n.DeclarationSpecifiers), in)
	a.visit(reflect.ValueOf(n.Declarator), in)
	a.finish(in)
	a.visit(reflect.ValueOf(n.DeclarationList), nil)
	a.visit(reflect.ValueOf(n.CompoundStatement), nil)
}

// declaration visits v, a declaration of its own, and returns what is attached to it.
func (a *attributes) declaration(v reflect.Value) string {
	in := &declared{}
	a.parts(v, in)
	return a.finish(in)
}

// structOrUnion visits n, which belongs to d: a struct that is named, or defined.
func (a *attributes) structOrUnion(n *cc.StructOrUnionSpecifier, d *declared) {
	tag := n.StructOrUnion.Token.SrcStr() + " " + n.Token.SrcStr()
	if n.Case == cc.StructOrUnionSpecifierTag {
		d.attach(a.names[tag])
		a.parts(reflect.ValueOf(n), d)
		return
	}
	in := &declared{tags: []string{tag}}
	in.attach(a.packedAt(n.Token2.Position()))
	a.parts(reflect.ValueOf(n), in)
	d.attach(a.finish(in))
}

// attach notes what n itself, a part of d, says of it.
func (a *attributes) attach(n any, d *declared) {
	switch n := n.(type) {
	case *cc.EnumSpecifier:
		tag := "enum " + n.Token2.SrcStr()
		if d.attach(a.names[tag]); d != nil && n.EnumeratorList != nil {
			d.tags = append(d.tags, tag)
		}
	case *cc.Declarator:
		if d != nil {
			d.declarators = append(d.declarators, n)
		}
	case *cc.TypeSpecifier: // without scopes: a name that is hidden counts, too
		if n.Case == cc.TypeSpecifierTypeName {
			d.attach(a.names[n.Token.SrcStr()])
		}
	case *cc.AtomicTypeSpecifier:
		d.attach("_Atomic")
	case *cc.DeclarationSpecifiers:
		if q := n.TypeQualifier; q != nil {
			d.attach(qualifier(q))
		}
	case *cc.SpecifierQualifierList:
		if q := n.TypeQualifier; q != nil {
			d.attach(qualifier(q))
		}
	case *cc.PrimaryExpression: // in __typeof__
		if x, ok := n.ResolvedTo().(*cc.Declarator); ok && n.Case == cc.PrimaryExpressionIdent {
			d.attach(a.of[x])
		}
	}
}

// parts visits what v is made of.
func (a *attributes) parts(v reflect.Value, d *declared) {
	s := v.Elem()
	for _, i := range a.fieldsOf(s.Type()) {
		a.visit(s.Field(i), d)
	}
}

// fieldsOf returns the fields of t, a kind of node, that lead to nodes.
func (a *attributes) fieldsOf(t reflect.Type) []int {
	fields, known := a.fields[t]
	if !known {
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && (f.Type.Kind() == reflect.Pointer || f.Type.Kind() == reflect.Interface) {
				fields = append(fields, i)
			}
		}
		a.fields[t] = fields
	}
	return fields
}

// finish keeps what was found of d under its names, and returns it.
func (a *attributes) finish(d *declared) string {
	if len(d.found) == 0 {
		return ""
	}
	for _, x := range d.declarators {
		a.of[x] = d.found[0]
		if x.IsTypename() {
			a.names[x.Name()] = d.found[0]
		} else if t := x.Type(); t != nil && t.Kind() == cc.Function {
			a.names[x.Name()+"()"] = d.found[0] // of any of its declarations
		}
	}
	for _, tag := range d.tags {
		a.names[tag] = d.found[0]
	}
	return d.found[0]
}

// qualifier returns the qualifiers that are not part of the model.
func qualifier(q *cc.TypeQualifier) string {
	switch q.Case {
	case cc.TypeQualifierVolatile:
		return "volatile"
	case cc.TypeQualifierAtomic:
		return "_Atomic"
	}
	return ""
}

func isQualifier(text string) bool { return text == "volatile" || text == "_Atomic" }

// attribute returns n as C has it, "" if it is harmless.
func attribute(n *cc.AttributeValue) string {
	name := strings.TrimSuffix(strings.TrimPrefix(n.Token.SrcStr(), "__"), "__")
	if slices.Contains(harmless, name) {
		return ""
	}
	var args []string
	least := int64(16)
	for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		e := convertExpr(l.AssignmentExpression)
		if v, ok := l.AssignmentExpression.Value().(cc.Int64Value); ok {
			least = int64(v)
		}
		args = append(args, exprText(e))
	}
	if name == "aligned" && least >= 8 {
		return "" // no number asks for more, so none lies anywhere else than it says
	}
	if len(args) == 0 {
		return name
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// packedAt returns the packing in force for a struct at pos. Of pragmas in other files it is not known whether they
// come before, so the last before and the last that may come before are both asked.
func (a *attributes) packedAt(pos token.Position) string {
	before, may := "", ""
	for _, p := range a.packed {
		switch same := p.pos.Filename == pos.Filename; {
		case same && p.pos.Line > pos.Line:
			if before != "" {
				return before
			}
			return may
		case same:
			before, may = p.text, p.text
		case p.pos.Filename == fromOperator && p.text != "":
			return p.text
		default:
			may = p.text
		}
	}
	if before != "" {
		return before
	}
	return may
}

// pack takes account of a pragma that changes the layout of structs from pos on.
func (p *pragmas) pack(toks []cc.Token, pos token.Position) {
	var words []string
	for _, t := range toks {
		if s := strings.TrimSpace(t.SrcStr()); s != "" {
			words = append(words, s)
		}
	}
	now := ""
	if len(p.packings) > 0 {
		now = p.packings[len(p.packings)-1].text
	}
	text := strings.Join(words, " ")
	if words[0] == "pack" {
		inside := strings.Split(strings.Trim(strings.Join(words[1:], ""), "()"), ",")
		switch inside[0] {
		case "push":
			p.pushed = append(p.pushed, now)
		case "pop":
			if now = ""; len(p.pushed) > 0 {
				now = p.pushed[len(p.pushed)-1]
				p.pushed = p.pushed[:len(p.pushed)-1]
			}
		}
		switch last := inside[len(inside)-1]; {
		case last == "push" || last == "pop":
			text = now
		case last == "" || last == "8" || last == "16": // no number asks for more than 8
			text = ""
		}
	} else if len(words) > 1 && words[1] == "default" {
		text = ""
	}
	if text != "" && !strings.HasPrefix(text, "#") {
		text = "#pragma " + strings.NewReplacer(" ( ", "(", " )", ")", " ,", ",").Replace(text)
	}
	p.packings = append(p.packings, packing{pos, text})
}
