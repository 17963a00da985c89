package openmp

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/cpu"
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
func newMPI(p Part, name string) *mpi {
	m := &mpi{region: newRegion(p)}
	m.ranks = mpitext.New(&m.Printer, &m.Indexer, p.Ranks, name)
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
	switch {
	case p.Ranks.Pipeline != nil:
		m.prog = cpu.Unchained(m.prog)
		if p.Ranks.Turns() {
			m.limit()
		}
	case p.Ranks.Grid != nil:
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
	var all []mpitext.Declared
	var calls []mpitext.Call
	helpers := map[string]bool{}
	var regions []Printed
	print := func(p Part, m *mpi, text string) {
		functions.WriteString("\n" + text)
		for name := range m.helpers {
			helpers[name] = true
		}
		regions = append(regions, Printed{names: p.Names, scop: p.Program.Scop(), helpers: m.helpers, text: text})
	}
	groups, hosts := byHost(parts), ""
	for i, group := range groups {
		p := group[0]
		name := mpitext.Name(p.Program.Scop(), len(groups) > 1)
		if len(groups) < len(parts) && len(groups) > 1 {
			name = fmt.Sprintf("%s_mpi_%d", p.Program.Scop().Function, i)
		}
		if p.Host != nil {
			h := newHost(group, name)
			hosts += h.function
			all = append(all, h.text)
			for k, m := range h.nests {
				print(group[k], m, h.texts[k])
				calls = append(calls, mpitext.Call{})
			}
			continue
		}
		m := newMPI(p, name)
		text := m.text()
		all, calls = append(all, m.ranks), append(calls, m.ranks.Call())
		print(p, m, text)
	}
	names := regions[0].names
	body := helperText(helpers) + functions.String()
	body = decorated(body)
	before, after := "", ""
	if hosts != "" {
		before, after = hidden(names.Macros, body)
	}
	file := ctext.HeaderFile(names.Base)
	body = "\n#include <mpi.h>\n#include \"" + file + "\"\n" + mpitext.Text(mpitext.Memory, false, body, hosts) + before + body + after + hosts
	whole, spans := unmarked(about(regions) + body)
	return File{Text: whole, Whole: whole, Spans: spans, scop: regions[0].scop, header: mpitext.Header(file, names.Base, regions[0].scop.File, all), MPI: calls}
}
