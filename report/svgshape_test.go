package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file reads SVG back, as far as our pictures use it, so that tests look
// at what a viewer shows and not at what the drawing code meant.

// An svgShape is a visible element of a picture, in pixels of the whole picture.
type svgShape struct {
	kind    string // text, polygon, circle, rect, line, path or dots
	classes []string
	data    map[string]string // attributes of the element and those around it
	points  []point           // corners, ends, or the middle of a circle
	r       float64
	area    float64 // of the rectangles of a path
	text    string
	box     rectangle // of text, about
	bold    bool
}

// An svgPicture is all that a file shows.
type svgPicture struct {
	view   rectangle
	shapes []svgShape
}

// in returns the shapes of a kind in groups or with elements of a class; "" is any.
func (p svgPicture) in(kind, class string) (found []svgShape) {
	for _, s := range p.shapes {
		if s.kind != kind {
			continue
		}
		for _, c := range append(s.classes, "") {
			if c == class {
				found = append(found, s)
				break
			}
		}
	}
	return found
}

type svgScope struct {
	dx, dy  float64
	data    map[string]string
	classes []string
}

// readSVG reads all shapes of a picture.
func readSVG(t *testing.T, svg []byte) (p svgPicture) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(svg))
	scopes := []svgScope{{data: map[string]string{}}}
	var open *svgShape
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return p
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			outer := scopes[len(scopes)-1]
			in := svgScope{outer.dx, outer.dy, map[string]string{}, append([]string{}, outer.classes...)}
			for k, v := range outer.data {
				in.data[k] = v
			}
			for _, a := range e.Attr {
				in.data[a.Name.Local] = a.Value
				switch a.Name.Local {
				case "class":
					in.classes = append(in.classes, strings.Fields(a.Value)...)
				case "transform":
					var x, y float64
					_, err := fmt.Sscanf(a.Value, "translate(%g %g)", &x, &y)
					require.NoError(t, err)
					in.dx, in.dy = in.dx+x, in.dy+y
				case "viewBox":
					_, err := fmt.Sscanf(a.Value, "%g %g %g %g", &p.view.x, &p.view.y, &p.view.w, &p.view.h)
					require.NoError(t, err)
				}
			}
			scopes = append(scopes, in)
			if s, ok := newShape(t, e, in); ok {
				p.shapes = append(p.shapes, s)
				if s.kind == "text" {
					open = &p.shapes[len(p.shapes)-1]
				}
			} else if e.Name.Local == "tspan" && open != nil {
				open.text += "\x00" // one character that is smaller follows
			}
		case xml.CharData:
			if open != nil {
				open.text += string(e)
			}
		case xml.EndElement:
			scopes = scopes[:len(scopes)-1]
			if e.Name.Local == "text" {
				open.measure(t)
				open = nil
			}
		}
	}
}

func newShape(t *testing.T, e xml.StartElement, in svgScope) (svgShape, bool) {
	s := svgShape{kind: e.Name.Local, data: in.data, classes: in.classes}
	at := func(name string) float64 {
		v, err := strconv.ParseFloat(in.data[name], 64)
		require.NoError(t, err, "%s of %s", name, s.kind)
		return v
	}
	pt := func(x, y string) point { return point{at(x) + in.dx, at(y) + in.dy} }
	switch s.kind {
	case "text":
		s.points = []point{pt("x", "y")}
	case "circle":
		s.points, s.r = []point{pt("cx", "cy")}, at("r")
	case "line":
		s.points = []point{pt("x1", "y1"), pt("x2", "y2")}
	case "path":
		d := in.data["d"]
		if s.r = 1; strings.Contains(d, "h0") {
			s.kind = "dots"
		}
		for _, sub := range strings.Split(d, "M")[1:] {
			var q point
			_, err := fmt.Sscanf(sub, "%g %g", &q.x, &q.y)
			require.NoError(t, err, sub)
			s.points = append(s.points, q.add(in.dx, in.dy))
			var w, h, back float64
			if _, err := fmt.Sscanf(sub, "%g %gh%gv%gh%gz", &q.x, &q.y, &w, &h, &back); err == nil {
				require.InDelta(t, w, -back, 1e-9)
				s.area += w * h
				s.points = append(s.points, q.add(in.dx+w, in.dy+h))
			}
		}
	case "rect":
		if _, placed := in.data["x"]; !placed {
			return s, false // the paper
		}
		o := pt("x", "y")
		s.box = rectangle{o.x, o.y, at("width"), at("height")}
		s.points = []point{o, o.add(s.box.w, 0), o.add(s.box.w, s.box.h), o.add(0, s.box.h)}
	case "polygon":
		for _, pair := range strings.Fields(in.data["points"]) {
			var q point
			_, err := fmt.Sscanf(pair, "%g,%g", &q.x, &q.y)
			require.NoError(t, err)
			s.points = append(s.points, q.add(in.dx, in.dy))
		}
	default:
		return s, false
	}
	return s, true
}

// measure fills in the box of a text. Widths are those of Helvetica, rounded up a little.
func (s *svgShape) measure(t *testing.T) {
	size, err := strconv.ParseFloat(s.data["font-size"], 64)
	require.NoError(t, err)
	s.bold = s.data["font-weight"] == "bold"
	w := 0.0
	small := false
	for _, c := range s.text {
		if c == 0 {
			small = !small
			continue
		}
		wide := helvetica(c) * size
		if small {
			wide *= 0.72
		}
		w += wide
	}
	s.text = strings.ReplaceAll(s.text, "\x00", "")
	if s.bold {
		w *= 1.06
	}
	x := s.points[0].x
	switch s.data["text-anchor"] {
	case "middle":
		x -= w / 2
	case "end":
		x -= w
	}
	s.box = rectangle{x, s.points[0].y - 0.74*size, w, 0.92 * size}
}

// helvetica is the width of a character for size 1, from the metrics of the typeface.
func helvetica(c rune) float64 {
	switch {
	case strings.ContainsRune("ijl|'", c):
		return 0.222
	case strings.ContainsRune(" .,:;/!ft[]It·", c):
		return 0.278
	case strings.ContainsRune("()r-", c):
		return 0.333
	case strings.ContainsRune("cksvxyzJ", c):
		return 0.5
	case strings.ContainsRune("≤≥−+=<>⌊⌋", c):
		return 0.584
	case strings.ContainsRune("ABEKPSVXY&", c):
		return 0.667
	case strings.ContainsRune("CDHNRUwΔ", c):
		return 0.722
	case strings.ContainsRune("GOQ", c):
		return 0.778
	case strings.ContainsRune("mM", c):
		return 0.833
	case strings.ContainsRune("W%", c):
		return 0.944
	}
	return 0.556
}

// meets reports whether two boxes overlap.
func (r rectangle) meets(q rectangle) bool {
	return r.x < q.x+q.w && q.x < r.x+r.w && r.y < q.y+q.h && q.y < r.y+r.h
}

func (r rectangle) holds(q rectangle) bool {
	return r.x <= q.x && q.x+q.w <= r.x+r.w && r.y <= q.y && q.y+q.h <= r.y+r.h
}
