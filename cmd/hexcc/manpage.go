package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/hexcc/hexcc"
)

// This file writes hexcc(1), in the macros of man, of the table that --help prints.

// manPage returns the page.
func manPage(app *kong.Application) string {
	docs := commandDocs(app)
	var m man
	m.line(".TH HEXCC 1 \"\" \"hexcc %s\" \"User Commands\"", hexcc.Version)
	m.section("NAME")
	m.text("hexcc - stencil compiler: plain C to code that is tiled in time, for GPUs and CPUs")
	m.section("SYNOPSIS")
	for i, d := range docs {
		if i > 0 {
			m.line(".br")
		}
		m.line("%s", m.synopsis(d))
	}
	m.section("DESCRIPTION")
	m.text(strings.Join(strings.Fields(description), " "))
	m.line(".PP")
	m.text("@FILE reads further arguments from FILE. A file \"-\" is standard input, and with -o standard output.")
	common, own := shared(docs, 5)
	m.section("COMMANDS")
	for i, d := range docs {
		m.line(".SS %s", manArgument("hexcc "+d.name))
		m.text(d.help)
		for _, a := range d.args {
			if a.help != "" && a.name != "FILE.c" {
				m.item(a.name, a.help)
			}
		}
		m.flags(own[i])
	}
	m.section("COMMON FLAGS")
	m.text("Of commands that read C:")
	m.flags(common)
	m.section("ENVIRONMENT")
	for _, e := range environment {
		m.item(e.name, e.help)
	}
	m.section("EXIT STATUS")
	m.line(".nf")
	m.text(strings.Trim(topics["status"].text, "\n"))
	m.line(".fi")
	m.section("TOPICS")
	m.text("hexcc help TOPIC tells more of each:")
	for _, name := range slices.Sorted(maps.Keys(topics)) {
		m.item(name, topics[name].title)
	}
	m.section("SEE ALSO")
	m.line(".BR cc (1),")
	m.line(".BR make (1)")
	return m.b.String()
}

// environment are the variables that hexcc itself reads.
var environment = []struct{ name, help string }{
	{"HEXCC_FLAGS", "Flags of hexcc cc, before those on its command line."},
	{"HEXCC_CACHE", "The folder in which hexcc cc keeps translations, and the Python package what it builds: hexcc in the user's folder for caches without it."},
	{"HEXCC_CC, CC", "The C compiler whose headers and macros are read: a path or a name, without flags."},
	{"HEXCC_HEADERS", "The default of --headers."},
	{"HEXCC_LLC", "The llc that makes PTX: the default of --llc."},
	{"HEXCC_LIBDEVICE", "The default of --libdevice."},
	{"HEXCC_NVCC", "The nvcc that hexcc tools, doctor, profile and tune run."},
	{"HEXCC_OPENCL_DEVICE", "Which OpenCL device runs kernels: its number, or a part of its name."},
	{"HEXCC_OPENCL_OPTIONS", "With which options kernels are built for it."},
	{"TMPDIR", "Where hexcc cc has what it hands to the compiler, until that has ended."},
}

// A man is a page that is written.
type man struct{ b strings.Builder }

func (m *man) line(format string, args ...any) { fmt.Fprintf(&m.b, format+"\n", args...) }

func (m *man) section(name string) { m.line(".SH %s", manArgument(name)) }

// manWidth is how long a line of text gets before it is broken.
const manWidth = 76

// text writes lines of text, long ones broken at spaces.
func (m *man) text(text string) {
	for line := range strings.Lines(text) {
		line = manText(strings.TrimSuffix(line, "\n"))
		for len(line) > manWidth {
			at := strings.LastIndexByte(line[:manWidth], ' ')
			if at <= 0 || strings.TrimSpace(line[:at]) == "" {
				break
			}
			m.line("%s", strings.TrimRight(line[:at], " "))
			if line = strings.TrimLeft(line[at:], " "); strings.HasPrefix(line, ".") {
				line = `\&` + line
			}
		}
		m.line("%s", line)
	}
}

// item writes a term with what it means.
func (m *man) item(term, text string) {
	m.line(".TP")
	m.line(".B %s", manArgument(term))
	m.text(text)
}

func (m *man) flags(flags []flagDoc) {
	for _, f := range flags {
		m.item(f.spelled(), f.help)
	}
}

// synopsis returns how a command is called.
func (m *man) synopsis(d commandDoc) string {
	text := ".B " + manArgument("hexcc "+d.name)
	if d.name == "translate" {
		text = ".B hexcc"
	}
	text += "\n.RI [ flags ]"
	for _, a := range d.args {
		name := manArgument(a.name)
		if a.optional {
			name = manArgument("[" + a.name + "]")
		}
		text += "\n.I " + name
	}
	return text
}

// manText returns text for a line of its own, in which nothing is a request of troff.
func manText(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	if strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}

// manArgument returns text as one argument of a macro.
func manArgument(text string) string {
	return `"` + strings.ReplaceAll(manText(text), `"`, `\(dq`) + `"`
}
