package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/scop"
)

// This file makes one HTML page of all that is known of a file. Everything that
// belongs to a statement carries its key in the attribute data-s, several keys
// apart by spaces; a few lines of script light what has the key under the pointer.
// Without scripts the page shows the same, and nothing lights.

var (
	//go:embed page/page.html
	pageText string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/page.js
	pageJS string
	//go:embed page/expressions.js
	expressionsJS string
	//go:embed page/machine.js
	machineJS string
	//go:embed page/zoom.js
	zoomJS string

	pageTemplate = template.Must(template.New("page").Parse(pageText))
)

// A Page is what HTML shows.
type Page struct {
	Version string // of hexcc
	Name    string // of the source file
	Source  []byte
	Regions []Products
	Kernel  string // the kernel file, and its name
	File    string
	Spans   []ctext.Span  // of Kernel
	Places  []ctext.Place // of Kernel; nil: nobody asked which expressions it computes
	Machine *MachineCode  // nil: nobody asked for it
}

// HTML returns the page as one file that needs no other. Equal pages give equal files.
func HTML(p Page) []byte {
	name := diag.Printable(filepath.Base(p.Name))
	d := pageData{
		Title: fmt.Sprintf("Tiling of %s", name), Version: p.Version, KernelFile: diag.Printable(p.File), Made: ctext.Made, Many: len(p.Regions) > 1,
		CSS: template.CSS(pageCSS), JS: template.JS(pageJS + expressionsJS + machineJS + zoomJS), Code: codeOf(p.Regions), // the first two are ours, and constant
	}
	if len(p.Regions) == 1 && p.Regions[0].Scop.Function != "" {
		d.Title = fmt.Sprintf("Tiling of %s (%s)", p.Regions[0].Scop.Function, name)
	}
	e := p.expressions()
	d.Source, d.Cut = p.sourceLines(e)
	d.Kernel = p.kernelLines(e)
	d.Parts = strings.Join(e.rows, "\n")
	for _, r := range p.Regions {
		d.Regions = append(d.Regions, p.region(r))
	}
	page := d.text(p.Name)
	if p.Machine == nil {
		return page
	}
	d.Machine = p.Machine.page(d.Kernel, max(mostPage-len(page), 0))
	return d.text(p.Name)
}

func (d pageData) text(name string) []byte {
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, d); err != nil {
		panic(fmt.Sprintf("report: page of %s: %v", name, err)) // plain data always fits
	}
	return out.Bytes()
}

// pageData is what the template sees.
type pageData struct {
	Title, Version, KernelFile, Made string
	CSS                              template.CSS
	JS                               template.JS
	Cut, Many                        bool // some of the source is left out; there are several regions
	Source, Kernel                   []codeLine
	Code                             pageCode
	Parts                            string // rows of expressions, apart by ends of lines
	Regions                          []pageRegion
	Machine                          *pageMachine // nil: there is none
}

// A pageCode is what the text that is written is called on the page.
type pageCode struct{ ID, Title, Part, Label, Line, Lights, Come string }

// codeOf returns that of regions.
func codeOf(regions []Products) pageCode {
	if len(regions) > 0 && regions[0].onCPU() {
		return pageCode{"loops", "Loops in C", "what stands before the source, which follows with calls in place of regions", "C text", "C", "loops in C", "come"}
	}
	return pageCode{"kernels", "Kernels", "all of it", "Kernel text", "kernel", "kernels", "come"}
}

// A codeLine is a line of text and the keys of the statements that it belongs to.
type codeLine struct {
	Number int
	Text   string
	Keys   string
	ID     string // "" where nothing links to the line
	Jump   int    // the number before it, if lines are left out before it
	Places string // of expressions: see expressions
	Count  int    // of instructions; 0: none
}

// A keyring collects keys, each once.
type keyring []string

func (k *keyring) add(key string) {
	if !slices.Contains(*k, key) {
		*k = append(*k, key)
	}
}

func (k keyring) String() string { return strings.Join(k, " ") }

const (
	wholeSource = 600 // lines of a source that is shown whole
	nearby      = 12  // lines shown before and after a region of a longer one
)

// sourceLines returns the lines of the source, or those near regions.
func (p Page) sourceLines(e expressions) (lines []codeLine, cut bool) {
	texts := splitLines(string(p.Source))
	keys := make([]keyring, len(texts)+1)
	near := make([]bool, len(texts)+1)
	for _, r := range p.Regions {
		first, last := r.Scop.UserLines()
		for n := first - nearby; n <= last+nearby; n++ {
			if 1 <= n && n <= len(texts) {
				near[n] = true
			}
		}
		for _, s := range r.Scop.Stmts {
			from, to := stmtLines(s, r.Scop.File)
			for n := from; n <= to && n <= len(texts); n++ {
				keys[n].add(regionKey(r.Scop.Region.Index, s.Name))
			}
		}
	}
	for i, text := range texts {
		if len(texts) > wholeSource && !near[i+1] {
			cut = true
			continue
		}
		line := codeLine{Number: i + 1, Text: diag.PrintableLines(text), Keys: keys[i+1].String(), ID: fmt.Sprintf("s%d", i+1), Places: e.of(e.source, i+1)}
		if n := len(lines); n == 0 && i > 0 || n > 0 && lines[n-1].Number != i {
			line.Jump = i + 1
		}
		lines = append(lines, line)
	}
	return lines, cut
}

// stmtLines returns the first and last line of s in the file, 1 and 0 where it is in another.
func stmtLines(s *scop.Stmt, file string) (first, last int) {
	first, last = 1, 0
	take := func(at diag.Span) {
		if at.File != file || at.Line < 1 {
			return
		}
		if last == 0 {
			first = at.Line
		}
		first, last = min(first, at.Line), max(last, at.Line)
	}
	take(s.Pos)
	for _, a := range s.Accesses {
		take(a.Pos)
	}
	return first, last
}

func (p Page) kernelLines(e expressions) (lines []codeLine) {
	counts := p.Machine.counts()
	for i, text := range splitLines(p.Kernel) {
		lines = append(lines, codeLine{Number: i + 1, Text: text, Count: counts[i+1], Places: e.of(e.kernel, i+1)})
	}
	linked := map[string]bool{}
	for _, s := range p.Spans {
		var keys []string
		for _, name := range s.Names() {
			key := regionKey(s.Region, name)
			if keys = append(keys, key); !linked[key] {
				lines[s.First-1].ID, linked[key] = fmt.Sprintf("k%d", s.First), true
			}
		}
		for n := s.First; n <= s.Last; n++ {
			lines[n-1].Keys = strings.Join(keys, " ")
		}
	}
	return lines
}

// splitLines returns the lines of text without their ends.
func splitLines(text string) []string {
	lines := strings.Split(text, "\n")
	if n := len(lines); lines[n-1] == "" {
		lines = lines[:n-1]
	}
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return lines
}

// A pageRegion is one region as the template sees it.
type pageRegion struct {
	ID                           string
	Number                       int
	In                           *Inspection
	Sections                     []pageSection
	Params, Axes, SizesText, Map string
	Statements                   []pageStatement
	Arrays                       []pageArray
	Dependences                  []pageDependence
	Cone                         []string
	ChoiceTitle, ChoiceNote      string
	StrategyNote                 string
	ChoiceHead                   []string
	Choice                       [][]string
	Chain, Ahead, KeptBy         string // of the order when ready
	Pictures                     map[string][]pagePicture
	Code                         pageCode
	RolesNote, ProofsNote        string
	Processor                    string
	ThreadPhases, ThreadRows     [][]string
}

type (
	pageSection   struct{ ID, Title string }
	pageStatement struct {
		Key, Colour, Iterators, Place, Reads, Writes string
		S                                            Statement
		KernelLine                                   int // the first that runs it; 0: none
	}
	pageArray      struct{ Name, Type, Extents, Use, Copied string }
	pageDependence struct {
		Keys string
		D    Dependence
	}
	pagePicture struct {
		Name, Title, Note string
		SVG               template.HTML
	}
)

func (p Page) region(x Products) pageRegion {
	in := Inspect(x)
	index := x.Scop.Region.Index
	r := pageRegion{
		ID: fmt.Sprintf("r%d", index+1), Number: index + 1, In: in,
		Params: orNone(variables(in.Params)), Axes: "dt",
	}
	for _, s := range [][2]string{{"statements", "Statements"}, {"dependences", "Dependences"}, {"tile", "Tile"}, {"tiling", "Tiling"},
		{"schedule", "Schedule"}, {"order", "Order of tiles"}, {"proofs", "Proofs"}, {"derivation", "Derivation"}, {"threads", "Threads and rows"}, {"memory", "Memory"}} {
		if s[0] != "threads" || in.Threads != nil {
			r.Sections = append(r.Sections, pageSection{r.ID + "-" + s[0], s[1]})
		}
	}
	for i, s := range in.Statements {
		ps := pageStatement{
			Key: regionKey(index, s.Name), Colour: statementInk(i), Iterators: strings.Join(s.Iterators, ", "),
			Place: in.placeText(s.Place), Reads: accesses(s, false), Writes: accesses(s, true), S: s,
		}
		if at := slices.IndexFunc(p.Spans, func(k ctext.Span) bool { return k.Region == index && slices.Contains(k.Names(), s.Name) }); at >= 0 {
			ps.KernelLine = p.Spans[at].First
		}
		r.Statements = append(r.Statements, ps)
	}
	for _, a := range in.Arrays {
		use := strings.Trim(arrayNotes(a), " ()")
		if use == "" {
			use = "read and written"
		}
		r.Arrays = append(r.Arrays, pageArray{a.Name, a.Type, "[" + strings.Join(a.Extents, "][") + "]", use, copiedText(a)})
	}
	for _, d := range in.Dependences {
		var keys keyring
		keys.add(regionKey(index, d.Source.Statement))
		keys.add(regionKey(index, d.Target.Statement))
		r.Dependences = append(r.Dependences, pageDependence{keys.String(), d})
	}
	for _, name := range in.SpaceNames {
		r.Axes += ", d" + name
	}
	for _, c := range in.Cone {
		r.Cone = append(r.Cone, coneText(c))
	}
	if in.Tile != nil {
		r.SizesText = sizesText(in.Tile.H, in.Tile.W)
	}
	if in.Schedule != nil {
		r.Map = strings.Join(islParts(in.Schedule.Map), "\n    ")
	}
	if o := in.Ready; o != nil && o.Why == "" {
		r.Chain, r.Ahead, r.KeptBy = o.chainText(), o.aheadText(), o.keptText()
	}
	r.choice(x.Choice)
	r.Code = codeOf([]Products{x})
	r.RolesNote = "host: a loop on the host, one launch for each value. block: a block index. seq: a loop in the kernel. thread: a thread index."
	r.ProofsNote = "For all values of the parameters, by exact emptiness tests on sets of integers, and by running full tiles with names for values."
	if in.Threads != nil {
		r.threads(in)
	}
	r.StrategyNote = "The sizes were given."
	if o := x.Outlook; o != nil {
		r.StrategyNote = strategyNote(in.Strategy, o)
	}
	r.Pictures = pagePictures(x, in, r.ID)
	return r
}

// copiedText says which way a is copied around the launches.
func copiedText(a Array) string {
	switch {
	case a.CopyIn && a.CopyOut:
		return "to the device and back"
	case a.CopyIn:
		return "to the device"
	case a.CopyOut:
		return "back"
	}
	return "no"
}

// strategyNote says what the model expects, and what speaks for and against the strategy.
func strategyNote(s Strategy, o *model.Outlook) string {
	parts := []string{o.Figures() + "; not measured"}
	if s.Why != "" {
		what := "only space is tiled: "
		switch s.Name {
		case "overlapped":
			if what = "all nests of an iteration are one launch: "; !o.Seconds {
				what = "each tile runs all nests: "
			}
		case "untiled":
			what = "nothing is tiled: "
		case "wavefront":
			what = "tiles are parallelograms: "
		case "hybrid":
			what = "rows stream through registers: "
		}
		parts = append(parts, what+s.Why)
	}
	parts = append(parts, s.Doubts...)
	for i, p := range parts {
		parts[i] = strings.ToUpper(p[:1]) + p[1:] + "."
	}
	return strings.Join(parts, " ")
}

// choice fills in the table of tile sizes.
func (r *pageRegion) choice(c *model.Choice) {
	if c == nil {
		return
	}
	taken := "chosen"
	r.ChoiceTitle = fmt.Sprintf("The best of %d sizes that fit, for %s", c.Tried, c.Device.Name)
	if c.Tried == 0 { // there was no search
		taken = "given"
		r.ChoiceTitle = fmt.Sprintf("What the model expects of these sizes, for %s", c.Device.Name)
	}
	r.ChoiceHead = []string{"sizes", "points", "loads", "stores", "bytes a point", "steps", "shared bytes", "ps a point", "why not"}
	r.ChoiceNote = fmt.Sprintf("Counted for %v. Times are those of a model of %s, not measured.", c.Grid, c.Part)
	for i, x := range c.Best {
		why := x.Why
		if i == 0 {
			why = taken
		}
		r.Choice = append(r.Choice, []string{
			x.Sizes.String(), fmt.Sprint(x.Counts.Points), fmt.Sprint(x.Counts.Loads), fmt.Sprint(x.Counts.Stores), fmt.Sprintf("%.3f", x.BytesPerPoint()),
			fmt.Sprint(x.Counts.Steps), fmt.Sprint(x.Counts.SharedBytes), fmt.Sprintf("%.3f", 1e12*x.Cost.PerPoint), why,
		})
	}
}

func pagePictures(x Products, in *Inspection, id string) map[string][]pagePicture {
	all := map[string][]pagePicture{}
	for i, pic := range pictures(x, in, PlotOptions{fine: true}) {
		svg := pic.d.inline(fmt.Sprintf("%s-p%d", id, i), unmarked(pic.title), x.description(pic.name))
		all[pic.name] = append(all[pic.name], pagePicture{pic.name, unmarked(pic.title), unmarked(pic.note), template.HTML(svg)}) // ours: all text in it is escaped
	}
	return all
}

// unmarked returns what text shows, with subscripts on the line.
func unmarked(s string) string {
	var out strings.Builder
	for _, c := range characters(s) {
		out.WriteString(c.text)
	}
	return out.String()
}
