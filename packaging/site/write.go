package main

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"os"
	"path/filepath"
	"strings"
)

//go:embed page.html
var pageText string

//go:embed site.css
var style string

//go:embed search.js
var search string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"html": func(s string) template.HTML { return template.HTML(s) },
}).Parse(pageText))

// most bounds the text of a section that a search looks through.
const most = 1500

// Write writes the site of the repository at root to a folder, which it makes, and returns how many pages it has.
func Write(root, out string) (pages int, err error) {
	groups, err := readPages(root)
	if err != nil {
		return 0, err
	}
	names := map[string]string{}
	for _, g := range groups {
		for _, p := range g.Pages {
			names[p.Path] = p.Name
		}
	}
	type entry struct {
		Page  string `json:"p"`
		In    string `json:"i"`
		Title string `json:"t"`
		At    string `json:"a"`
		Text  string `json:"x"`
	}
	var index []entry
	files := map[string][]byte{"site.css": []byte(style)}
	for _, g := range groups {
		for _, p := range g.Pages {
			for _, s := range p.sections {
				index = append(index, entry{p.Name, p.Title, s.Title, s.Anchor, cut(s.Text, most)})
			}
			if err := p.link(root, names); err != nil {
				return 0, err
			}
			if err := p.render(); err != nil {
				return 0, err
			}
			var b strings.Builder
			if err := pageTemplate.Execute(&b, map[string]any{"Page": p, "Groups": groups}); err != nil {
				return 0, err
			}
			files[p.Name] = []byte(b.String())
			pages++
			for _, f := range p.files {
				data, err := os.ReadFile(filepath.Join(root, f))
				if err != nil {
					return 0, err
				}
				files[strings.TrimPrefix(f, "docs/")] = data
			}
		}
	}
	words, err := json.Marshal(index)
	if err != nil {
		return 0, err
	}
	files["search.js"] = []byte("const sections = " + string(words) + ";\n" + search)
	for name, data := range files {
		at := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			return 0, err
		}
		if err := os.WriteFile(at, data, 0o666); err != nil {
			return 0, err
		}
	}
	return pages, nil
}

// cut returns no more than so many bytes of a text, up to the end of a word.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if i := strings.LastIndexByte(s[:most], ' '); i > 0 {
		return s[:i]
	}
	return strings.ToValidUTF8(s[:most], "")
}
