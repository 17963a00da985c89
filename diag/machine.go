package diag

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// This file prints diagnostics for programs: a list in JSON, and SARIF 2.1.0.

// Formats are the names that Print knows.
var Formats = []string{"text", "json", "sarif"}

// Print writes l in the format of that name; "" is text.
func Print(w io.Writer, format string, l List, src Sources) error {
	switch format {
	case "", "text":
		return Text(w, l, src)
	case "json":
		return JSON(w, l)
	case "sarif":
		return SARIF(w, l, src)
	}
	return fmt.Errorf("no diagnostics format is called %q: known are text, json and sarif", format)
}

type jsonSpan struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Length int    `json:"length,omitempty"`
}

type jsonNote struct {
	jsonSpan
	Message string `json:"message"`
}

type jsonDiagnostic struct {
	Severity string `json:"severity"`
	Code     Code   `json:"code,omitempty"`
	jsonSpan
	Message string     `json:"message"`
	Notes   []jsonNote `json:"notes,omitempty"`
	Help    string     `json:"help,omitempty"`
}

func spanJSON(s Span) jsonSpan { return jsonSpan{s.File, s.Line, s.Col, s.Len} }

// JSON writes l as one array of objects.
func JSON(w io.Writer, l List) error {
	out := []jsonDiagnostic{}
	for _, d := range l {
		j := jsonDiagnostic{d.Severity.String(), d.Code, spanJSON(d.At), d.Msg, nil, d.Help}
		for _, n := range d.Notes {
			j.Notes = append(j.Notes, jsonNote{spanJSON(n.At), n.Msg})
		}
		out = append(out, j)
	}
	return encode(w, out)
}

func encode(w io.Writer, v any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, escapeInvisible(b.String()))
	return err
}

// escapeInvisible returns JSON in which all is printable: what is not stands in strings only.
func escapeInvisible(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case shows(r) || r == '\n':
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

type object = map[string]any

// SARIF writes l as a log of the Static Analysis Results Interchange Format,
// version 2.1.0, with one rule for each code. Its columns count code points,
// which takes the text of the line.
func SARIF(w io.Writer, l List, src Sources) error {
	codes := codesOf(l)
	rules := []object{}
	for _, c := range codes {
		rule := object{"id": string(c)}
		if t, ok := TopicOf(c); ok {
			rule["shortDescription"] = object{"text": t.Title}
			rule["fullDescription"] = object{"text": t.Explain}
		}
		rules = append(rules, rule)
	}
	results := []object{}
	for _, d := range l {
		results = append(results, sarifResult(d, slices.Index(codes, d.Code), src))
	}
	return encode(w, object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool":       object{"driver": object{"name": "hexcc", "rules": rules}},
			"columnKind": "unicodeCodePoints",
			"results":    results,
		}},
	})
}

// codesOf returns the codes of l, each once, in order.
func codesOf(l List) (codes []Code) {
	for _, d := range l {
		if d.Code != "" {
			codes = append(codes, d.Code)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

func sarifResult(d *Diagnostic, rule int, src Sources) object {
	text := d.Msg
	var related []object
	for _, n := range d.Notes {
		if n.At.Line > 0 {
			place := sarifLocation(n.At, src)
			place["message"] = object{"text": n.Msg}
			related = append(related, place)
		} else {
			text += "\nnote: " + n.Msg
		}
	}
	if d.Help != "" {
		text += "\nhelp: " + d.Help
	}
	level := map[Severity]string{Error: "error", Warning: "warning", Remark: "note"}[d.Severity]
	r := object{"level": level, "message": object{"text": text}}
	if d.Code != "" { // what is wrong with the command line has none
		r["ruleId"], r["ruleIndex"] = string(d.Code), rule
	}
	if d.At.File != "" {
		r["locations"] = []object{sarifLocation(d.At, src)}
	}
	if related != nil {
		r["relatedLocations"] = related
	}
	return r
}

func sarifLocation(s Span, src Sources) object {
	physical := object{"artifactLocation": object{"uri": (&url.URL{Path: filepath.ToSlash(s.File)}).String()}}
	if s.Line > 0 {
		first, end := columns(s, src)
		physical["region"] = object{"startLine": s.Line, "startColumn": first, "endColumn": end}
	}
	return object{"physicalLocation": physical}
}

// columns returns the first column of s and the one after it, in characters.
func columns(s Span, src Sources) (first, end int) {
	first, end = max(s.Col, 1), max(s.Col, 1)+max(s.Len, 1)
	if src == nil {
		return first, end
	}
	line, ok := lineOf(src(s.File), s.Line)
	if !ok || end > len(line)+1 {
		return first, end
	}
	return utf8.RuneCount(line[:first-1]) + 1, utf8.RuneCount(line[:end-1]) + 1
}
