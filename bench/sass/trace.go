package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/internal/sass"
)

// This file finds in the CUDA text of a kernel what a full tile runs that follows a full tile, and which threads run it.

// A step of a warp is one instruction that is issued for it.
type step struct {
	*sass.Instruction
	lanes int // that run it: 0 where its predicate is false for all
}

// far is a tile far from the borders at the low side; parameters are far * far.
const far = 1 << 20

// A body is the lines of a full tile.
type body struct {
	first, last int
	conditions  map[int][]condition // of a line, around it
}

// A condition is what must hold around a line: an expression, or its contrary; or a loop, which runs it for each of its values. The zero
// condition is a block of its own.
type condition struct {
	expr ast.Expr
	not  bool
	loop *loop
}

// A loop is for (int name = from; while; name += by).
type loop struct {
	name        string
	from, while ast.Expr
	by          int64
}

// bodyOf finds the full tile of a kernel in text.
func bodyOf(text, kernel string) (b body, err error) { return find(text, kernel, false) }

// blockOf finds what a block of a kernel runs that is one full tile: what comes before it in the kernel, too, or all of a kernel without one, which tests each
// point. Where a loop or a test comes before the tile, which the kernel then runs more than once, it is bodyOf.
func blockOf(text, kernel string) (b body, err error) {
	full, err := find(text, kernel, false)
	if err == nil {
		lines := strings.Split(text, "\n")[:full.first-1]
		for i := len(lines) - 1; ; i-- {
			if lines[i] == "{" { // the kernel begins
				full.first = i + 2
				return full, nil
			}
			if strings.HasPrefix(strings.TrimSpace(lines[i]), "for (") || strings.HasPrefix(strings.TrimSpace(lines[i]), "if (") && !opens(lines[i:]) {
				return full, nil
			}
		}
	}
	return find(text, kernel, true)
}

// opens reports whether lines are the head of the full tile that they end with.
func opens(lines []string) bool {
	for i, l := range lines {
		switch code, _, _ := strings.Cut(l, " //"); {
		case strings.HasSuffix(code, "{"):
			return i == len(lines)-1
		case strings.HasSuffix(code, ";"):
			return false
		}
	}
	return false
}

// find finds the full tile of a kernel, or, with all, all that it runs.
func find(text, kernel string, all bool) (b body, err error) {
	b.conditions = map[int][]condition{}
	var around []condition
	inside, found, before := false, false, ""
	for i, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		switch {
		case !inside:
			inside = strings.HasPrefix(l, kernel+"(")
			continue
		case !found && all:
			if found = l == "{"; found {
				b.first = i + 2
			}
			continue
		case !found:
			if found = strings.HasSuffix(l, "{ // full tile") || strings.HasSuffix(l, "{ // a tile that no bound cuts across the stream"); found {
				b.first = i + 2
			}
			continue
		}
		code, _, _ := strings.Cut(l, " //")
		if strings.HasPrefix(code, "}") && before == "" {
			if len(around) == 0 {
				b.last = i
				return b, nil
			}
			top := around[len(around)-1]
			around = around[:len(around)-1]
			if code == "} else {" {
				top.not = !top.not
				around = append(around, top)
			} else if code != "}" {
				return b, fmt.Errorf("line %d: %q is not read", i+1, l)
			}
		}
		b.conditions[i+1] = slices.Clone(around)
		if code == "{" {
			around = append(around, condition{})
			continue
		}
		if before != "" || strings.HasPrefix(code, "if (") || strings.HasPrefix(code, "for (") {
			if before = strings.TrimSpace(before + " " + code); strings.Count(before, "(") > strings.Count(before, ")") || !strings.HasSuffix(code, "{") && !strings.HasSuffix(code, ";") {
				continue // the head goes on
			}
			c, err := conditionOf(before)
			if err != nil {
				return b, fmt.Errorf("line %d: %w", i+1, err)
			}
			if strings.HasSuffix(before, "{") {
				around = append(around, c)
			} else { // without braces
				b.conditions[i+1] = append(slices.Clone(around), c)
			}
			before = ""
		} else if strings.HasSuffix(code, "{") && code != "{" && code != "} else {" {
			return b, fmt.Errorf("line %d: %q is not read", i+1, l)
		}
	}
	return b, fmt.Errorf("kernel %s has no full tile", kernel)
}

var loopHead = regexp.MustCompile(`^for \((?:int|long) (\w+) = (.*); (.*); (\w+)(\+\+| \+= (\d+))\)( \{)?$`)

// conditionOf reads the head of an if statement or a loop.
func conditionOf(head string) (c condition, err error) {
	if m := loopHead.FindStringSubmatch(head); m != nil && m[1] == m[4] {
		c.loop = &loop{name: m[1], by: 1}
		if m[6] != "" {
			if c.loop.by, err = strconv.ParseInt(m[6], 10, 64); err != nil {
				return c, err
			}
		}
		if c.loop.from, err = parser.ParseExpr(m[2]); err == nil {
			c.loop.while, err = parser.ParseExpr(m[3])
		}
		return c, err
	}
	text, ok := strings.CutPrefix(head, "if (")
	if text, braced := strings.CutSuffix(text, ") {"); ok && braced {
		c.expr, err = parser.ParseExpr(text)
		return c, err
	}
	return c, fmt.Errorf("%q is not read", head)
}

// value returns that of an expression of the text, with the values of variables: of a thread and of loops. All tiles S0, S1, and so on
// are far.
func value(e ast.Expr, known map[string]int64) (int64, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return value(e.X, known)
	case *ast.BasicLit:
		return strconv.ParseInt(strings.TrimRight(e.Value, "uUlL"), 0, 64)
	case *ast.Ident:
		if v, ok := known[e.Name]; ok {
			return v, nil
		}
		if strings.HasPrefix(e.Name, "S") {
			return far, nil
		}
		return far * far, nil // a parameter
	case *ast.CallExpr:
		if name, ok := e.Fun.(*ast.Ident); ok && len(e.Args) == 2 && (name.Name == "min" || name.Name == "max") {
			x, err := value(e.Args[0], known)
			if err != nil {
				return 0, err
			}
			y, err := value(e.Args[1], known)
			if name.Name == "min" {
				return min(x, y), err
			}
			return max(x, y), err
		}
	case *ast.UnaryExpr:
		x, err := value(e.X, known)
		if e.Op == token.SUB {
			return -x, err
		}
	case *ast.BinaryExpr:
		x, err := value(e.X, known)
		if err != nil {
			return 0, err
		}
		y, err := value(e.Y, known)
		if err != nil {
			return 0, err
		}
		truth := map[bool]int64{true: 1}
		switch e.Op {
		case token.ADD:
			return x + y, nil
		case token.SUB:
			return x - y, nil
		case token.MUL:
			return x * y, nil
		case token.QUO:
			return x / y, nil
		case token.REM:
			return x % y, nil
		case token.LSS:
			return truth[x < y], nil
		case token.LEQ:
			return truth[x <= y], nil
		case token.GTR:
			return truth[x > y], nil
		case token.GEQ:
			return truth[x >= y], nil
		case token.EQL:
			return truth[x == y], nil
		case token.NEQ:
			return truth[x != y], nil
		case token.LAND:
			return truth[x != 0 && y != 0], nil
		case token.LOR:
			return truth[x != 0 || y != 0], nil
		}
	}
	return 0, fmt.Errorf("a condition of a full tile is not read: %T %v", e, e)
}

// runs returns how often a thread runs what is under conditions.
func runs(under []condition, known map[string]int64) (times int64, err error) {
	if len(under) == 0 {
		return 1, nil
	}
	c := under[0]
	if c.loop == nil && c.expr == nil {
		return runs(under[1:], known)
	}
	if c.loop == nil {
		v, err := value(c.expr, known)
		if err != nil || (v != 0) == c.not {
			return 0, err
		}
		return runs(under[1:], known)
	}
	at, err := value(c.loop.from, known)
	if err != nil {
		return 0, err
	}
	inner := maps.Clone(known)
	for ; ; at += c.loop.by {
		inner[c.loop.name] = at
		goes, err := value(c.loop.while, inner)
		if err != nil || goes == 0 {
			return times, err
		}
		n, err := runs(under[1:], inner)
		if err != nil {
			return 0, err
		}
		if times += n; times > most {
			return 0, fmt.Errorf("loop over %s is too long to be replayed", c.loop.name)
		}
	}
}

// most bounds how often a line runs.
const most = 1 << 16

// A share is how often the warp's busiest thread runs a line, and how many lanes do on average.
type share struct {
	times int64
	lanes int
}

// shares returns those of the lines of a warp.
func (b body) shares(first, count int, threads [3]int) (map[int]share, error) {
	out := map[int]share{}
	for line := b.first; line <= b.last; line++ {
		var longest, all int64
		for id := first; id < min(first+32, count); id++ {
			known := map[string]int64{"tx": int64(id % threads[0]), "ty": int64(id / threads[0] % threads[1]), "tz": int64(id / threads[0] / threads[1])}
			n, err := runs(b.conditions[line], known)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
			longest, all = max(longest, n), all+n
		}
		if longest > 0 {
			out[line] = share{longest, int((all + longest - 1) / longest)}
		}
	}
	return out, nil
}

// outer returns the outermost loop around a line; nil: there is none.
func (b body) outer(line int) *loop {
	for _, c := range b.conditions[line] {
		if c.loop != nil {
			return c.loop
		}
	}
	return nil
}

// trace returns what each warp of a block with so many threads by dimension runs for a tile. Where a warp's threads all have a false
// predicate, an instruction is issued for it if another warp of the block runs it; else the block jumps over it. Of a loop, of whose body
// the compiler may have made copies, so many instructions are taken in turn as all copies would have, times how often it runs by copy.
func (b body) trace(code []sass.Instruction, threads [3]int) (warps [][]step, err error) {
	count := threads[0] * threads[1] * threads[2]
	var all []map[int]share
	any := map[int]bool{}
	for first := 0; first < count; first += 32 {
		s, err := b.shares(first, count, threads)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
		for line := range s {
			any[line] = true
		}
	}
	copies := map[int]int64{} // of a line: how many stores there are for it
	for i := range code {
		if code[i].Is("STS", "STG", "LDGSTS") {
			copies[code[i].Line]++
		}
	}
	for _, s := range all {
		var steps []step
		for i := 0; i < len(code); {
			in := &code[i]
			around := b.outer(in.Line)
			if !any[in.Line] || around == nil {
				if any[in.Line] && (s[in.Line].lanes > 0 || in.Guard != "") {
					steps = append(steps, step{in, s[in.Line].lanes})
				}
				i++
				continue
			}
			var group []step
			repeat := 0.0
			for ; i < len(code) && b.outer(code[i].Line) == around; i++ {
				in := &code[i]
				if x := s[in.Line]; x.lanes > 0 {
					group = append(group, step{in, x.lanes})
					if n := copies[in.Line]; n > 0 {
						repeat = max(repeat, float64(x.times)/float64(n))
					}
				}
			}
			if repeat == 0 { // it stores nothing
				repeat = 1
			}
			for k := range int(math.Ceil(repeat * float64(len(group)))) {
				steps = append(steps, group[k%len(group)])
			}
		}
		warps = append(warps, steps)
	}
	return warps, nil
}
