package frontend

import "github.com/hexcc/hexcc/scop"

// This file says where the regions of the user's file are in the text that Programs are of.

// A Site is a region of the user's file that was read: where it is, and what of it can be named there.
type Site struct {
	Region int // its number in the file, from 0
	// Start and End is the region in the user's file, whole lines; From and To is what stands for it in the source of Programs. From is
	// -1 where that has it several times, or has no place for it.
	Start, End, From, To int
	// First and Last are the lines of its pragmas.
	First, Last int
	Function    string
	// Programs are those made of it that are in Function, and not in copies of functions that it calls.
	Programs []*scop.Program
	// Declared are the names that the region declares: around it they are unknown, or are other variables.
	Declared []string
}

// sites returns regions of t, which is the user's file, that res has the programs of.
func (t *text) sites(regions []region, res *Result) (all []Site) {
	for _, r := range regions {
		s := Site{Region: r.Index, Start: r.Start, End: r.End, From: r.Start, To: r.End, First: r.StartLine, Last: r.EndLine, Function: r.function.Declarator.Name()}
		for _, p := range res.Programs {
			if p == nil {
				continue
			}
			if first, last := p.UserLines(); first < r.StartLine || last > r.EndLine {
				continue
			}
			if p.Function == s.Function {
				s.Programs = append(s.Programs, p)
			}
		}
		eachStmt(r.body, func(st stmt) {
			d, ok := st.(declStmt)
			if at := t.f.offset(st.at().first); !ok || at < r.Start || at >= r.End {
				return
			}
			for _, v := range d.vars {
				s.Declared = append(s.Declared, v.decl.Name())
			}
		})
		if o := res.Origin; o != nil {
			from, before := o.copied(r.Start - 1)
			to, after := o.copied(r.End)
			if s.From, s.To = from+1, to; !before || !after || from >= to {
				s.From, s.To = o.writtenFor(r.Index)
			}
		}
		all = append(all, s)
	}
	return all
}

// writtenFor returns what of the text was written for a region of the user's file: with nothing between it and another region it has no neighbours that are copied. From is -1 if
// nothing was.
func (o *Origin) writtenFor(region int) (from, to int) {
	for _, w := range o.written {
		if w.of == region && w.from < w.to {
			return w.from, w.to
		}
	}
	return -1, -1
}

// copied returns where the byte of the user's file at offset from is in the text, if it is there once.
func (o *Origin) copied(from int) (at int, once bool) {
	for i, p := range o.pieces {
		end := len(o.text.text)
		if i+1 < len(o.pieces) {
			end = o.pieces[i+1].at
		}
		if p.own || from < p.from || from >= p.from+end-p.at {
			continue
		}
		if once {
			return 0, false
		}
		at, once = p.at+from-p.from, true
	}
	return at, once
}
