package tree

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/hexcc/hexcc/poly"
)

// This file reads trees in YAML. A node is a mapping, and what it is says the key that only its kind has:
//
//	domain: SET                 the root
//	context: SET                filter: SET         guard: SET
//	schedule: MULTI [permutable: BOOL] [coincident: [BOOL, ..]] [options: SET]
//	mark: NAME                  extension: MAP      expansion: MAP contraction: MAP
//	sequence: [NODE, ..]        set: [NODE, ..]     of which all are filters
//
// and child: NODE is what is below it. SET and MAP are scalars in isl's notation, and so is MULTI, a list of relations to one dimension
// each, or a relation to all.

// kinds are the keys that say what a node is, and those that it may have beside child.
var kinds = map[string][]string{
	"domain": nil, "context": nil, "filter": nil, "guard": nil, "mark": nil, "extension": nil, "sequence": nil, "set": nil,
	"schedule": {"permutable", "coincident", "options"}, "expansion": {"contraction"},
}

// maxDepth bounds the depth of trees, so that none overflows the stack.
const maxDepth = 1000

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// tree returns the tree that s is.
func (s source) tree() Node {
	var doc yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(s.text))
	if err := decoder.Decode(&doc); err != nil {
		msg, line := err.Error(), 1
		if m := yamlLine.FindStringSubmatch(msg); m != nil {
			line, _ = strconv.Atoi(m[1])
			msg = "no YAML: " + msg[len(m[0]):]
		}
		s.fail(line, 1, "%s", msg)
	}
	var second yaml.Node
	if decoder.Decode(&second) == nil {
		s.fail(second.Line, second.Column, "a second document: a file has one schedule")
	}
	r := reader{source: s}
	root := doc.Content[0]
	if f := r.fields(root); f.kind != "domain" {
		r.fail(root.Line, root.Column, "the root is a node %s: a schedule starts with domain: the instances that run", f.kind)
	}
	return r.node(root, false)
}

// A reader reads nodes. It knows what is around the node that it reads.
type reader struct {
	source
	depth     int
	outer     int      // dimensions of the bands around
	instances poly.Set // that arrive here, or more
}

// A nodeFields is a mapping of YAML.
type nodeFields struct {
	kind   string
	at     *yaml.Node // the key
	values map[string]*yaml.Node
}

func (r reader) failAt(n *yaml.Node, format string, args ...any) {
	r.fail(n.Line, n.Column, format, args...)
}

// fields returns the fields of a node and its kind.
func (r reader) fields(n *yaml.Node) nodeFields {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		r.failAt(n, "anchors and aliases are not supported: write the node out")
	}
	if n.Kind != yaml.MappingNode {
		r.failAt(n, "expected a node, such as filter: \"{ S[i] }\"")
	}
	f := nodeFields{values: map[string]*yaml.Node{}}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if f.values[key.Value] != nil {
			r.failAt(key, "%s appears twice", key.Value)
		}
		f.values[key.Value] = value
		if _, ok := kinds[key.Value]; !ok && key.Value != "contraction" {
			continue
		} else if key.Value != "contraction" {
			if f.kind != "" {
				r.failAt(key, "a node is %s or %s, not both", f.kind, key.Value)
			}
			f.kind, f.at = key.Value, key
		}
	}
	if f.kind == "" {
		r.failAt(n, "no node: it has none of the keys %s", strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
	}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Value != f.kind && (key.Value != "child" || r.isList(f.kind)) && !slices.Contains(kinds[f.kind], key.Value) {
			r.failAt(key, "a node %s has no %s", f.kind, key.Value)
		}
	}
	return f
}

func (r reader) isList(kind string) bool { return kind == "sequence" || kind == "set" }

// node returns the node of n; filters says that it has to be a filter.
func (r reader) node(n *yaml.Node, filters bool) Node {
	if r.depth++; r.depth > maxDepth {
		r.failAt(n, "nested more than %d deep", maxDepth)
	}
	f := r.fields(n)
	switch {
	case filters && f.kind != "filter":
		r.failAt(f.at, "children of a sequence or set are filters, not %s", f.kind)
	case f.kind == "domain" && r.depth > 1:
		r.failAt(f.at, "domain is the root")
	}
	value := f.values[f.kind]
	switch f.kind {
	case "domain":
		set := r.set(value)
		r.instances = set
		return &Domain{set, r.child(f)}
	case "context":
		set := r.outerSet(value)
		return &Context{set, r.child(f)}
	case "guard":
		set := r.outerSet(value)
		return &Guard{set, r.child(f)}
	case "filter":
		set := r.set(value)
		return &Filter{set, r.child(f)}
	case "mark":
		return &Mark{r.scalar(value), r.child(f)}
	case "schedule":
		return r.band(f)
	case "extension":
		m := r.relation(value)
		for _, b := range m.Basics() {
			if in := b.Space().In; in.Name != "" || len(in.Dims) != r.outer {
				r.failAt(value, dimsOutside, dimensions(r.outer), dimensions(len(in.Dims)))
			}
		}
		r.instances = r.instances.Union(m.Range())
		return &Extension{m, r.child(f)}
	case "expansion":
		m := r.relation(value)
		e := &Expansion{Map: m, Contraction: m.Inverse()}
		if c := f.values["contraction"]; c != nil {
			e.Contraction = r.relation(c)
		}
		r.instances = m.Apply(r.instances)
		e.Child = r.child(f)
		return e
	case "sequence":
		return &Sequence{r.children(value)}
	default:
		return &Set{r.children(value)}
	}
}

// child returns what is below a node, nil for a leaf.
func (r reader) child(f nodeFields) Node {
	c := f.values["child"]
	if c == nil || c.Kind == yaml.ScalarNode && (c.Value == "leaf" || c.Tag == "!!null") {
		return nil
	}
	return r.node(c, false)
}

func (r reader) children(n *yaml.Node) (list []*Filter) {
	if n.Kind != yaml.SequenceNode {
		r.failAt(n, "expected a list of filters")
	}
	for _, c := range n.Content {
		list = append(list, r.node(c, true).(*Filter))
	}
	return list
}

func (r reader) band(f nodeFields) Node {
	b := &Band{}
	b.Times, b.Dims = r.times(f.values["schedule"])
	if p := f.values["permutable"]; p != nil {
		b.Permutable = r.flag(p)
	}
	b.Coincident = make([]bool, b.Dims)
	if c := f.values["coincident"]; c != nil {
		if c.Kind != yaml.SequenceNode || len(c.Content) > b.Dims {
			r.failAt(c, "expected a list of at most %d of 0 and 1, one for each dimension of the band", b.Dims)
		}
		for i, x := range c.Content {
			b.Coincident[i] = r.flag(x)
		}
	}
	if o := f.values["options"]; o != nil {
		b.Options = r.set(o)
	}
	r.outer += b.Dims
	b.Child = r.child(f)
	return b
}

// times returns the relation to times that n is, and the dimensions of these.
func (r reader) times(n *yaml.Node) (times poly.Map, dims int) {
	text := r.scalar(n)
	start := strings.TrimSpace(text)
	if at := strings.Index(start, "->"); strings.HasPrefix(start, "[") && at > 0 && !strings.HasPrefix(strings.TrimSpace(start[1:]), "{") {
		start = strings.TrimSpace(start[at+2:])
	}
	if strings.HasPrefix(start, "{") {
		times = r.relation(n)
		for i, b := range times.Basics() {
			if out := b.Space().Out; i > 0 && len(out.Dims) != dims {
				r.failAt(n, "times of %s and of %s in one band", dimensions(dims), dimensions(len(out.Dims)))
			} else {
				dims = len(out.Dims)
			}
		}
		return Unnamed(times), dims
	}
	list, err := poly.ParseMulti(text)
	if err != nil {
		r.wrong(n, err)
	}
	for i, m := range list {
		for _, b := range m.Basics() {
			if d := len(b.Space().Out.Dims); d != 1 {
				r.failAt(n, "each relation of the list gives one dimension of time, not %d", d)
			}
		}
		if m = Unnamed(m); i == 0 {
			times = m
		} else {
			times = times.FlatRangeProduct(m)
		}
	}
	if len(list) == 0 {
		times = r.instances.Relate(poly.MustSet("{ [] }"))
	}
	return times, len(list)
}

// Unnamed returns m with second tuples without names.
func Unnamed(m poly.Map) poly.Map {
	for _, b := range m.Basics() {
		if name := b.Space().Out.Name; name != "" {
			m = m.RenameOut(name, "")
		}
	}
	return m
}

func (r reader) flag(n *yaml.Node) bool {
	switch r.scalar(n) {
	case "1", "true":
		return true
	case "0", "false":
		return false
	}
	r.failAt(n, "expected 0 or 1, found %s", n.Value)
	return false
}

func (r reader) scalar(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		r.failAt(n, "expected a text: put it in quotes, such as \"{ S[i] }\"")
	}
	return n.Value
}

func (r reader) set(n *yaml.Node) poly.Set {
	s, err := poly.ParseSet(r.scalar(n))
	if err != nil {
		r.wrong(n, err)
	}
	return s
}

// outerSet returns a set of parameters, or of the times of the bands around.
func (r reader) outerSet(n *yaml.Node) poly.Set {
	s := r.set(n)
	for _, b := range s.Basics() {
		if out := b.Space().Out; out.Name != "" || len(out.Dims) > 0 && len(out.Dims) != r.outer {
			r.failAt(n, dimsOutside, dimensions(r.outer), dimensions(len(out.Dims)))
		}
	}
	return s
}

func (r reader) relation(n *yaml.Node) poly.Map {
	m, err := poly.ParseMap(r.scalar(n))
	if err != nil {
		r.wrong(n, err)
	}
	return m
}

// wrong fails for an error in the text of n.
func (r reader) wrong(n *yaml.Node, err error) {
	col, exact := n.Column, false
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		col++
	}
	// A scalar stands in the text as it is if it has no escapes, and no ends of lines.
	if lines := strings.Split(r.text, "\n"); n.Line <= len(lines) {
		line := []rune(lines[n.Line-1])
		exact = col-1 <= len(line) && strings.HasPrefix(string(line[col-1:]), n.Value)
	}
	var wrong *poly.ParseError
	if errors.As(err, &wrong) && wrong.Line > 1 {
		exact = false
	}
	r.inSet(n.Line, col, exact, err)
}
