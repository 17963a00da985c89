package frontend

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/diag"
)

// This file refuses programs that would exhaust the C front end. It calls
// itself for each bracket, each operator and each else, without a bound, and
// looks through all that an operator in front of its operand stands for once more at each.

// The bounds, after macro expansion.
const (
	maxNesting = 1000   // brackets inside each other
	maxRun     = 50_000 // tokens of an expression or declarator
	maxPrefix  = 1000   // operators in front of one operand, casts to types with a name of C between them or not
	maxElse    = 10_000 // else in one function
)

// A depth follows how deep a parser is at a place of a text.
type depth struct {
	parens, braces int
	run            int // tokens since a separator
	elses          int // since the last function ended
	prefix         int // operators since a name or a number
}

// token takes account of a token that begins with c.
func (d *depth) token(c byte, text string) {
	d.run++
	switch {
	case strings.IndexByte("+-!~*&", c) >= 0:
		d.prefix++
	case c != '(' && c != ')' && !typeWords[text]:
		d.prefix = 0
	}
	switch c {
	case '(', '[':
		d.parens++
	case ')', ']':
		d.parens = max(d.parens-1, 0)
	case '{':
		d.braces++
		d.run = 0
	case '}':
		d.braces = max(d.braces-1, 0)
		d.run = 0
		if d.braces == 0 {
			d.elses = 0
		}
	case ',', ';':
		if d.parens == 0 {
			d.run = 0
		}
	case 'e':
		if text == "else" {
			d.elses++
		}
	}
}

// typeWords are the words that types of numbers consist of.
var typeWords = map[string]bool{
	"const": true, "char": true, "short": true, "int": true, "long": true, "signed": true, "unsigned": true, "float": true, "double": true,
}

func (d *depth) tooMuch() bool {
	return d.prefix > maxPrefix || d.parens+d.braces > maxNesting || d.run > maxRun || d.elses > maxElse
}

// tooDeep reports whether text would make the front end recurse too deeply.
// Where text is not that of f, the place is unknown.
func tooDeep(f *file, text []byte) diag.List {
	scan := file{text: text}
	var d depth
	for i := 0; i < len(text); {
		end := scan.plainTokenEnd(i)
		if c := text[i]; c > ' ' {
			d.token(c, string(text[i:end]))
		}
		if d.tooMuch() {
			err := &diag.Diagnostic{Code: "HX008", At: diag.Span{Pos: diag.Pos{File: f.name}},
				Msg: "the program is nested too deeply to be read",
				Notes: []diag.Note{{Msg: fmt.Sprintf("allowed, after macro expansion: %d brackets inside each other, %d tokens in an expression, %d operators in front of an operand, %d else in a function",
					maxNesting, maxRun, maxPrefix, maxElse)}},
				Help: "split the expression, declaration or function",
			}
			if len(text) == len(f.text) {
				err.At = f.spanOf(i, i+1)
			}
			return diag.List{err}
		}
		i = end
	}
	return nil
}
