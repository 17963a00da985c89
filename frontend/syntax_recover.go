package frontend

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"

	"github.com/hexcc/hexcc/diag"
)

// This file leaves out functions and declarations that the C front end cannot read but the C compiler of the
// machine can: statement expressions, nested functions, types and attributes of GNU C. No region is in them.

// A leftOut is an item that is not read, with what the C front end said of it.
type leftOut struct {
	file string
	item
	why *diag.Diagnostic
}

// regionMark is how a region begins and ends, and the other pragmas of hexcc.
var regionMark = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+(scop|endscop|hexcc)\b|\b_Pragma\b`)

// maxRounds bounds how often a file is read again with more left out.
const maxRounds = 8

// recovered parses f again and again, with that left out of which errs say that it cannot be read. It returns errs if
// the C compiler of the machine does not take the file either, and else what is still wrong.
func recovered(f *file, o Options, macros string, errs diag.List) (*unit, diag.List) {
	if o.Host == nil || o.Host.Accepts == nil || o.Host.Accepts(Source{Name: f.name, Text: f.text}, o.IncludeDirs, o.Defines, o.Undefines) != nil {
		return nil, errs
	}
	left := map[string][]item{}
	var all []leftOut
	for range maxRounds {
		found, ok := unreadItems(f, left, errs)
		if !ok {
			break
		}
		all = append(all, found...)
		u, again := parse(f, o, macros, left)
		if again == nil {
			u.left = all
			return u, nil
		}
		errs = again
	}
	for i, d := range errs {
		with := *d
		for _, l := range all {
			with.Notes = append(with.Notes[:len(with.Notes):len(with.Notes)], diag.Note{At: l.why.At, Msg: "this could not be read, and was left out: " + l.why.Msg})
		}
		errs[i] = &with
	}
	return nil, errs
}

// unreadItems adds the items that errs are in to left, and returns them; ok is false if there are none that can be
// left out. Of a function the body goes first, then all.
func unreadItems(f *file, left map[string][]item, errs diag.List) (found []leftOut, ok bool) {
	for _, d := range errs {
		at := d.At.Pos
		text := f.text
		if at.File != f.name {
			var err error
			if text, err = os.ReadFile(at.File); err != nil {
				continue
			}
		}
		items, ok := itemsOf(text)
		if !ok {
			continue
		}
		lines := newFile(Source{Name: at.File, Text: text})
		offset := -1
		if 1 <= at.Line && at.Line <= len(lines.lines) {
			offset = lines.lines[at.Line-1] + max(at.Col-1, 0)
		}
		for _, it := range items {
			in := it.from <= offset && offset < it.to || offset < 0 && unread.Match(text[it.from:it.to])
			if !in || regionMark.Match(text[it.from:it.to]) {
				continue
			}
			if offset < it.body { // its head cannot be read
				it.body = 0
			}
			if i := slices.IndexFunc(left[at.File], func(l item) bool { return l.from == it.from }); i < 0 {
				left[at.File] = append(left[at.File], it)
				found = append(found, leftOut{at.File, it, d})
			} else if left[at.File][i].body > 0 {
				left[at.File][i].body = 0
				found = append(found, leftOut{at.File, it, d})
			}
		}
	}
	return found, len(found) > 0
}

// remarks says what was left out, one remark for each place.
func (u *unit) remarks(f *file) (list diag.List) {
	places := map[string]*diag.Diagnostic{}
	for _, l := range u.left {
		key := fmt.Sprintf("%s:%d", l.file, l.from)
		if places[key] != nil {
			continue
		}
		what := "this declaration"
		if l.body > 0 {
			what = "the body of this function"
		}
		at := l.why.At
		if at.Pos.Line == 0 && l.file == f.name { // the C front end did not say
			at = f.spanOf(l.from, l.to)
		}
		places[key] = &diag.Diagnostic{Severity: diag.Remark, Code: "HX016", At: at,
			Msg:  what + " is not read: " + l.why.Msg,
			Help: "nothing need be done: it is outside of regions, and stays as it is in the generated file"}
	}
	list = slices.Collect(maps.Values(places))
	slices.SortFunc(list, func(x, y *diag.Diagnostic) int {
		return cmp.Or(cmp.Compare(x.At.Pos.File, y.At.Pos.File), cmp.Compare(x.At.Pos.Line, y.At.Pos.Line))
	})
	return list
}
