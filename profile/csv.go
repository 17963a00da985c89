package profile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
)

// This file reads what ncu --csv prints. There are two forms, both with a row of names. Of --page raw a row is a launch, and a column
// a metric, whose units are in the row below the names:
//
//	"ID",..,"Kernel Name",..,"Block Size","Grid Size","Device","CC",..,"dram__bytes_read.sum",..
//	"",..,"",..,"","","","",..,"Mbyte",..
//	"0",..,"f(float *)",..,"(32, 4, 1)","(108, 1, 1)","0","8.0",..,"1,234.5",..
//
// Of --page details, and where metrics are asked for by --metrics, a row is a metric of a launch:
//
//	"ID",..,"Kernel Name",..,"Section Name","Metric Name","Metric Unit","Metric Value",..
//	"0",..,"f(float *)",..,"GPU Speed Of Light Throughput","DRAM Throughput","%","61.20",..
//
// What the program and ncu itself print stands before the names, or in lines that begin with ==.

// Parse reads the launches of a file, in its order. The error, a diagnostic, says where it is not as ncu prints it.
func Parse(name string, text []byte) ([]*Launch, error) {
	p := &parser{file: name, seen: map[string]*Launch{}}
	if err := p.parse(strings.TrimPrefix(string(text), "\ufeff")); err != nil {
		return nil, err
	}
	if err := p.numbers(); err != nil {
		return nil, err
	}
	return p.launches, nil
}

// A parser is the state of reading a file.
type parser struct {
	file     string
	columns  []string // names, by column; nil: before them
	units    []string // of --page raw, by column; nil: before them
	launches []*Launch
	seen     map[string]*Launch // of --page details, by process and ID
	cells    []cell
}

// A cell is a number that is not read yet: how depends on all of them.
type cell struct {
	launch             *Launch
	metric, text, unit string
	digits             string // of text, if it is a number
	line, col          int
}

const askRaw = "what is read is what ncu --csv prints with --page raw, --page details or --metrics; ncu --import FILE.ncu-rep --csv --page raw prints a report"

func (p *parser) fail(line, col int, help, format string, args ...any) error {
	return &diag.Diagnostic{Code: "HX020", At: diag.Span{Pos: diag.Pos{File: p.file, Line: line, Col: col}, Len: 1}, Msg: fmt.Sprintf(format, args...), Help: help}
}

// parse reads rows. Lines of ncu's own are made empty, so that places stay.
func (p *parser) parse(text string) error {
	lines, named := strings.SplitAfter(text, "\n"), -1
	for i, l := range lines {
		switch {
		case named < 0 && !isHead(l):
			lines[i] = "\n"
		case named < 0:
			named = i
		case strings.HasPrefix(l, "=="):
			lines[i] = "\n"
		}
	}
	if named < 0 {
		return p.fail(1, 1, askRaw, "there is no row of names with \"ID\" and \"Kernel Name\"")
	}
	r := csv.NewReader(strings.NewReader(strings.Join(lines, "")))
	r.FieldsPerRecord = -1
	if head := lines[named]; strings.Count(head, ";") > strings.Count(head, ",") {
		r.Comma = ';'
	}
	for {
		row, err := r.Read()
		var bad *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return p.ended(named + 1)
		case errors.As(err, &bad):
			return p.fail(bad.Line, max(1, bad.Column), "", "it is no CSV: %v", bad.Err)
		case err != nil:
			return err
		}
		if err := p.row(row, r); err != nil {
			return err
		}
	}
}

// isHead reports whether a line is that of names.
func isHead(line string) bool {
	first := strings.TrimLeft(line, "\" ")
	return strings.HasPrefix(first, "ID\"") && strings.Contains(line, "\"Kernel Name\"") ||
		(strings.HasPrefix(first, "ID,") || strings.HasPrefix(first, "ID;")) && strings.Contains(line, "Kernel Name")
}

// ended returns an error if there was no launch.
func (p *parser) ended(head int) error {
	if len(p.launches) == 0 {
		return p.fail(head, 1, "profile a run that launches the kernels", "there is no launch of a kernel below the row of names")
	}
	return nil
}

// row reads a row.
func (p *parser) row(row []string, r *csv.Reader) error {
	line, _ := r.FieldPos(0)
	for i := range row {
		row[i] = strings.TrimSpace(row[i])
	}
	switch {
	case len(row) == 1 && row[0] == "":
		return nil
	case row[0] == "ID" && slices.Contains(row, "Kernel Name"): // of another table, too
		p.columns, p.units = slices.Clone(row), nil
		return nil
	case slices.Contains(p.columns, "Metric Value"):
		return p.detail(row, r, line)
	case len(row) != len(p.columns):
		return p.fail(line, 1, "a file that was cut is of no use: profile again", "a row of %d values, below %d names", len(row), len(p.columns))
	case p.units == nil && row[0] != "":
		return p.fail(line, 1, askRaw, "there is no row of units below the names")
	case p.units == nil:
		p.units = slices.Clone(row)
		return nil
	}
	l := p.launch(row, line)
	p.launches = append(p.launches, l)
	for i, name := range p.columns {
		if i >= p.metricsFrom() {
			_, col := r.FieldPos(i)
			p.cells = append(p.cells, cell{launch: l, metric: name, text: row[i], unit: p.units[i], line: line, col: col})
		}
	}
	return nil
}

// detail reads a row that is a metric.
func (p *parser) detail(row []string, r *csv.Reader, line int) error {
	value, unit, metric := slices.Index(p.columns, "Metric Value"), slices.Index(p.columns, "Metric Unit"), slices.Index(p.columns, "Metric Name")
	if unit < 0 || metric < 0 {
		return p.fail(line, 1, askRaw, "there is a column \"Metric Value\", and none \"Metric Name\" or \"Metric Unit\"")
	}
	if len(row) <= max(value, unit, metric) || row[0] == "" {
		return p.fail(line, 1, "a file that was cut is of no use: profile again", "a row of %d values, below %d names", len(row), len(p.columns))
	}
	key := row[0]
	if i := slices.Index(p.columns, "Process ID"); i >= 0 {
		key += " " + row[i]
	}
	l := p.seen[key]
	if l == nil {
		l = p.launch(row, line)
		p.seen[key], p.launches = l, append(p.launches, l)
	}
	if row[metric] == "" { // advice of ncu's
		return nil
	}
	_, col := r.FieldPos(value)
	p.cells = append(p.cells, cell{launch: l, metric: row[metric], text: row[value], unit: row[unit], line: line, col: col})
	return nil
}

// about are the columns that are no metrics; of the newer ones, there may be some more up to the last of them.
var about = []string{"ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC"}

// metricsFrom returns the first column that is a metric.
func (p *parser) metricsFrom() (n int) {
	for i, name := range p.columns {
		if slices.Contains(about, name) {
			n = i + 1
		}
	}
	return n
}

// launch returns that of a row, without metrics.
func (p *parser) launch(row []string, line int) *Launch {
	at := func(name string) string {
		if i := slices.Index(p.columns, name); i >= 0 && i < len(row) {
			return row[i]
		}
		return ""
	}
	return &Launch{
		ID: row[0], Kernel: PlainName(at("Kernel Name")), Block: triple(at("Block Size")), Grid: triple(at("Grid Size")), CC: at("CC"), Line: line, Metrics: map[string]Value{},
	}
}
