package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/ctext"
)

// A point of a picture, or of the plane that it shows.
type point struct{ x, y float64 }

// A drawing is a rectangle of w by h pixels and the SVG elements in it. Methods
// add to the end, so later elements lie on top.
type drawing struct {
	w, h  float64
	body  bytes.Buffer
	depth int
}

// attrs are the attributes of an element: name, value, name, value, ...
type attrs []any

// A style is how text looks: size in pixels, colour, weight and alignment.
type style struct {
	size   float64
	fill   string
	anchor string // start, middle or end; "" is start
	bold   bool
	italic bool
	halo   string // colour of a rim that sets the text off from lines; "": none
}

const fontFamily = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

// document returns the drawing as a complete SVG file. Title and description
// are what a screen reader reads out.
func (d *drawing) document(title, description string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" width=\"%s\" height=\"%s\" role=\"img\" aria-labelledby=\"title desc\" font-family=\"%s\">\n",
		num(d.w), num(d.h), num(d.w), num(d.h), fontFamily)
	fmt.Fprintf(&out, "<!-- %s -->\n", ctext.Made)
	fmt.Fprintf(&out, "<title id=\"title\">%s</title>\n", escape(title))
	fmt.Fprintf(&out, "<desc id=\"desc\">%s</desc>\n", escape(description))
	fmt.Fprintf(&out, "<rect width=\"%s\" height=\"%s\" fill=\"%s\"/>\n", num(d.w), num(d.h), ink.paper)
	out.Write(d.body.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}

// inline returns the drawing as an element of a page, in which id is not used otherwise.
func (d *drawing) inline(id, title, description string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "<svg viewBox=\"0 0 %s %s\" width=\"%s\" height=\"%s\" role=\"img\" aria-labelledby=\"%s-t %s-d\" font-family=\"%s\">\n",
		num(d.w), num(d.h), num(d.w), num(d.h), id, id, fontFamily)
	fmt.Fprintf(&out, "<title id=\"%s-t\">%s</title>\n<desc id=\"%s-d\">%s</desc>\n", id, escape(title), id, escape(description))
	for line := range strings.Lines(d.body.String()) {
		out.WriteString(strings.TrimLeft(line, " "))
	}
	out.WriteString("</svg>")
	return out.String()
}

// place adds all of e with its upper left corner at (x, y).
func (d *drawing) place(e *drawing, x, y float64) {
	d.group(attrs{"transform", fmt.Sprintf("translate(%s %s)", num(x), num(y))}, func() {
		d.body.Write(e.body.Bytes())
	})
}

// group puts what body adds into one element with attributes a.
func (d *drawing) group(a attrs, body func()) {
	d.indent()
	fmt.Fprintf(&d.body, "<g%s>\n", a)
	d.depth++
	body()
	d.depth--
	d.indent()
	d.body.WriteString("</g>\n")
}

// note puts what body adds into a group with a title, which viewers show as a tooltip.
func (d *drawing) note(title string, body func()) {
	d.group(nil, func() {
		d.indent()
		fmt.Fprintf(&d.body, "<title>%s</title>\n", escape(title))
		body()
	})
}

func (d *drawing) element(name string, a attrs) {
	d.indent()
	fmt.Fprintf(&d.body, "<%s%s/>\n", name, a)
}

func (d *drawing) line(a, b point, more attrs) {
	d.element("line", append(attrs{"x1", a.x, "y1", a.y, "x2", b.x, "y2", b.y}, more...))
}

func (d *drawing) circle(c point, r float64, more attrs) {
	d.element("circle", append(attrs{"cx", c.x, "cy", c.y, "r", r}, more...))
}

// dots draws discs of radius r as one element: lines of no length with round ends.
func (d *drawing) dots(ps []point, r float64, more attrs) {
	if len(ps) == 0 {
		return
	}
	var path strings.Builder
	for _, p := range ps {
		fmt.Fprintf(&path, "M%s %sh0", num(p.x), num(p.y))
	}
	d.element("path", append(more, "stroke-width", 2*r, "stroke-linecap", "round", "d", path.String()))
}

func (d *drawing) rect(x, y, w, h float64, more attrs) {
	d.element("rect", append(attrs{"x", x, "y", y, "width", w, "height", h}, more...))
}

func (d *drawing) polygon(ps []point, more attrs) {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = num(p.x) + "," + num(p.y)
	}
	d.element("polygon", append(attrs{"points", strings.Join(texts, " ")}, more...))
}

// arrow draws a line from a to b with a solid head at b.
func (d *drawing) arrow(a, b point, colour string, width float64) {
	length := math.Hypot(b.x-a.x, b.y-a.y)
	if length == 0 {
		return
	}
	ux, uy := (b.x-a.x)/length, (b.y-a.y)/length
	head, half := 4*width+3, 1.5*width+1.2
	neck := point{b.x - ux*head, b.y - uy*head}
	d.line(a, neck, attrs{"stroke", colour, "stroke-width", width})
	d.polygon([]point{b, {neck.x - uy*half, neck.y + ux*half}, {neck.x + uy*half, neck.y - ux*half}}, attrs{"fill", colour})
}

// text writes s with its baseline at (x, y). A character after _ is a
// subscript; __ is a plain underscore.
func (d *drawing) text(x, y float64, s string, st style) {
	a := attrs{"x", x, "y", y, "font-size", st.size, "fill", st.fill}
	if st.anchor != "" && st.anchor != "start" {
		a = append(a, "text-anchor", st.anchor)
	}
	if st.bold {
		a = append(a, "font-weight", "bold")
	}
	if st.italic {
		a = append(a, "font-style", "italic")
	}
	if st.halo != "" {
		a = append(a, "stroke", st.halo, "stroke-width", 3.5, "stroke-linejoin", "round", "paint-order", "stroke")
	}
	d.indent()
	fmt.Fprintf(&d.body, "<text%s>%s</text>\n", a, subscripts(s, st.size))
}

// subscripts turns "w_0 = 3" into tspans that lower the character after each _.
func subscripts(s string, size float64) string {
	var out strings.Builder
	lowered := false // the next character goes up again
	drop, shift := num(size*0.22), ""
	for _, c := range characters(s) {
		switch {
		case c.low:
			fmt.Fprintf(&out, "<tspan dy=\"%s\" font-size=\"%s\">%s</tspan>", drop, num(size*0.72), escape(c.text))
			lowered = true
		case lowered && c.text == " ": // would be dropped at the start of a tspan
			shift = fmt.Sprintf(" dx=\"%s\"", num(size*0.28))
		case lowered:
			fmt.Fprintf(&out, "<tspan dy=\"-%s\"%s>%s</tspan>", drop, shift, escape(c.text))
			lowered, shift = false, ""
		default:
			out.WriteString(escape(c.text))
		}
	}
	return out.String()
}

// A character of a text, possibly a subscript.
type character struct {
	text string
	low  bool
}

// characters reads the markup of text.
func characters(s string) (cs []character) {
	marked := false
	for _, r := range s {
		switch {
		case r == '_' && !marked:
			marked = true
		case r == '_':
			cs, marked = append(cs, character{"_", false}), false
		default:
			cs, marked = append(cs, character{string(r), marked}), false
		}
	}
	return cs
}

// plain returns the markup of s, whose underscores are just that.
func plain(s string) string { return strings.ReplaceAll(s, "_", "__") }

// textWidth is about how wide s is in pixels: good enough to lay out boxes.
func textWidth(s string, size float64) float64 {
	w := 0.0
	for _, c := range characters(s) {
		wide := 0.56
		switch {
		case strings.Contains(" .,:;'()il|!·", c.text):
			wide = 0.3
		case c.text >= "A" && c.text <= "Z", strings.Contains("mw≤≥−+=<>⌊⌋", c.text):
			wide = 0.66
		}
		if c.low {
			wide *= 0.72
		}
		w += wide
	}
	return w * size
}

func (d *drawing) indent() { fmt.Fprintf(&d.body, "%*s", 2*d.depth, "") }

// String writes attributes as they stand in a tag, each after a space.
func (a attrs) String() string {
	var out strings.Builder
	for i := 0; i < len(a); i += 2 {
		value := fmt.Sprint(a[i+1])
		if f, ok := a[i+1].(float64); ok {
			value = num(f)
		}
		fmt.Fprintf(&out, " %s=\"%s\"", a[i], escape(value))
	}
	return out.String()
}

// num writes f with at most two decimals, so that files are small and stable.
func num(f float64) string {
	s := strconv.FormatFloat(f, 'f', 2, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func escape(s string) string {
	var out bytes.Buffer
	if err := xml.EscapeText(&out, []byte(s)); err != nil {
		panic(fmt.Sprintf("report: escape %q: %v", s, err)) // a Buffer does not fail
	}
	return out.String()
}
