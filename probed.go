package hexcc

import (
	"bytes"
	"slices"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/scop"
)

// This file puts probes around regions: in the user's file as it is, and in what is written in its place.

// A Probed is the user's file with probes around the regions that are translated.
type Probed struct {
	Source []byte // in the user's language, with nothing translated
	Sites  []ProbedSite
}

// A ProbedSite is a region of the user's file.
type ProbedSite struct {
	frontend.Site
	*ctext.Probe
}

// Named returns the C name and the type of the elements of an array that the probe tells of.
func (s ProbedSite) Named(array int) (name string, elem scop.Type) {
	o := s.Arrays[array]
	return o.Array.Objects()[o.Index].Variable(), o.Array.Elem
}

// An insertion is text to be put into a source, at an offset.
type insertion struct {
	at   int
	text string
}

// probe puts probes into the source of the programs of res, and makes f.Probed.
func (f *file) probe(res *frontend.Result) {
	f.Probed = &Probed{}
	var user, made []insertion
	programs := slices.DeleteFunc(slices.Clone(res.Programs), func(p *scop.Program) bool { return p == nil })
	begins := func(at int) bool {
		return slices.ContainsFunc(programs, func(p *scop.Program) bool { return p.Region.Start == at })
	}
	for _, site := range res.Sites {
		p := ctext.NewProbe(len(f.Probed.Sites), site.Programs, site.Declared)
		f.Probed.Sites = append(f.Probed.Sites, ProbedSite{site, p})
		if site.From < 0 {
			continue
		}
		user = append(user, before(res.Source, site.Start, p.Begin()), before(res.Source, site.End, p.End()))
		begin := before(programs[0].Source, site.From, p.Begin())
		if begins(site.From) { // the directive goes
			begin.text = p.Begin()
		}
		made = append(made, begin, before(programs[0].Source, site.To, p.End()))
	}
	if f.Probed.Source = inserted(res.Source, user); len(programs) == 0 {
		return
	}
	source := inserted(programs[0].Source, made)
	for _, p := range programs {
		p.Region.Start, p.Region.End, p.PrivateAt = moved(p.Region.Start+1, made)-1, moved(p.Region.End, made), moved(p.PrivateAt, made)
		p.Source = source
	}
}

// before returns the insertion of a statement into source, on a line of its own where a directive follows.
func before(source []byte, at int, text string) insertion {
	if bytes.HasPrefix(bytes.TrimLeft(source[at:], " \t"), []byte("#")) {
		text += "\n"
	}
	return insertion{at, text}
}

// inserted returns source with insertions, which are in order.
func inserted(source []byte, all []insertion) []byte {
	var b bytes.Buffer
	done := 0
	for _, x := range all {
		b.Write(source[done:x.at])
		b.WriteString(x.text)
		done = x.at
	}
	b.Write(source[done:])
	return b.Bytes()
}

// moved returns where the end of what ends at offset at is, once all is inserted.
func moved(at int, all []insertion) int {
	by := 0
	for _, x := range all {
		if x.at < at {
			by += len(x.text)
		}
	}
	return at + by
}
