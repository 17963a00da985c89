package openmp

import (
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/mpitext"
	"github.com/hexcc/hexcc/scop"
)

// This file prints regions that run on several machines by MPI: for each region a function of its own, which has a communicator in front,
// and functions beside it. They stand in a file of their own: the user's source stays what it is.

// An mpi prints the functions of a region for MPI.
type mpi struct {
	*region
	ranks *mpitext.Region
}

// newMPI returns the printer of a region.
func newMPI(p Part, several bool) *mpi {
	m := &mpi{region: newRegion(p)}
	m.ranks = mpitext.New(&m.Printer, &m.Indexer, p.Ranks, mpitext.Name(p.Program.Scop(), several))
	m.ranks.Helpers = m.helpers
	m.local = map[*scop.Array][]localExtent{}
	for i, a := range p.Ranks.Arrays {
		if name := m.ranks.Local[a.Array]; name != "" {
			m.local[a.Array] = append(m.local[a.Array], localExtent{a.Dim, name})
			m.Vars[name] = true
		}
		if name := m.ranks.LocalColumns[a.Array]; name != "" {
			m.local[a.Array] = append(m.local[a.Array], localExtent{p.Ranks.Grid.Arrays[i].Dim, name})
			m.Vars[name] = true
		}
	}
	if p.Ranks.Grid != nil {
		m.limit()
	}
	return m
}

// text returns the functions.
func (m *mpi) text() string {
	tiles := m.tileFunctions()
	var b strings.Builder
	b.WriteString(texts(tiles))
	b.WriteString(m.ranks.Before())
	b.WriteString(m.run(tiles))
	b.WriteString(m.ranks.Whole())
	return b.String()
}

// PrintMPI returns the file of regions that run on several ranks, in source order: there is at least one, all with the same Base.
func PrintMPI(parts []Part) File {
	var functions strings.Builder
	var all []*mpitext.Region
	var calls []mpitext.Call
	helpers := map[string]bool{}
	var regions []Printed
	several := len(parts) > 1
	for _, p := range parts {
		m := newMPI(p, several)
		text := m.text()
		all, calls = append(all, m.ranks), append(calls, m.ranks.Call())
		functions.WriteString("\n" + text)
		for name := range m.helpers {
			helpers[name] = true
		}
		regions = append(regions, Printed{names: p.Names, scop: p.Program.Scop(), helpers: m.helpers, text: text})
	}
	names := regions[0].names
	body := helperText(helpers) + functions.String()
	body = decorated(body)
	file := ctext.HeaderFile(names.Base)
	body = "\n#include <mpi.h>\n#include \"" + file + "\"\n" + mpitext.Text(mpitext.Memory, false, body) + body
	whole, spans := unmarked(about(regions) + body)
	return File{Text: whole, Whole: whole, Spans: spans, scop: regions[0].scop, header: mpitext.Header(file, names.Base, all), MPI: calls}
}
