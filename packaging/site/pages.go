package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A group is pages under one heading of the list.
type group struct {
	Title string
	Pages []*page
}

// contents are the pages by groups, in the order of the list: Markdown files by their paths in the repository.
var contents = []struct {
	title string
	paths []string
}{
	{"Start", []string{"README.md", "docs/install.md", "docs/tutorial.md", "docs/verify.md", "CHANGELOG.md"}},
	{"Use", []string{"docs/input.md", "docs/projects.md", "docs/cpu.md", "docs/mpi.md", "docs/cuda.md", "docs/opencl.md", "docs/ptx.md", "docs/python.md", "docs/editor.md"}},
	{"Look", []string{"docs/inspect.md", "docs/pictures.md", "docs/output.md", "docs/calc.md", "docs/loops.md", "docs/gallery.md"}},
	{"Make faster", []string{"docs/tuning.md", "docs/profile.md", "docs/wishes.md", "docs/fusion.md", "docs/sums.md"}},
	{"How it works", []string{"docs/tiling.md", "docs/follow.md", "docs/tiles.md", "docs/streaming.md", "docs/kernels.md", "docs/choice.md", "docs/limits.md"}},
	{"Measured", []string{"docs/measured.md", "docs/choices.md", "docs/gpu.md", "docs/suites.md", "docs/random.md"}},
	{"Inside", []string{"ARCHITECTURE.md", "RATIONALE.md", "poly/README.md"}},
}

// repository is where files are that are no pages.
const repository = "https://github.com/hexcc/hexcc/blob/main/"

// A page is a document.
type page struct {
	Path  string // of the Markdown, in the repository
	Name  string // of the file
	Title string
	Body  string // HTML

	markdown []byte
	tree     ast.Node
	sections []section
	files    []string // that it shows or links to, and that go beside it, by their paths in the repository
}

// A section is what a search finds.
type section struct{ Title, Anchor, Text string }

var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// readPages reads the pages that are there. A document of docs that is in no group is an error.
func readPages(root string) (groups []group, err error) {
	var listed []string
	for _, g := range contents {
		made := group{Title: g.title}
		for _, p := range g.paths {
			listed = append(listed, p)
			data, err := os.ReadFile(filepath.Join(root, p))
			if os.IsNotExist(err) {
				continue
			} else if err != nil {
				return nil, err
			}
			made.Pages = append(made.Pages, parse(p, data))
		}
		groups = append(groups, made)
	}
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	for _, d := range docs {
		if rel := "docs/" + filepath.Base(d); !slices.Contains(listed, rel) {
			return nil, fmt.Errorf("%s is in no group of packaging/site", rel)
		}
	}
	return groups, nil
}

// nameOf returns the file that a document becomes.
func nameOf(p string) string {
	switch p {
	case "README.md":
		return "index.html"
	case "poly/README.md":
		return "poly.html"
	}
	return strings.ToLower(strings.TrimSuffix(path.Base(p), ".md")) + ".html"
}

// parse reads a document.
func parse(p string, data []byte) *page {
	made := &page{Path: p, Name: nameOf(p), Title: p, markdown: data, tree: markdown.Parser().Parse(text.NewReader(data))}
	for n := made.tree.FirstChild(); n != nil; n = n.NextSibling() {
		h, isHeading := n.(*ast.Heading)
		if !isHeading {
			if len(made.sections) > 0 {
				last := &made.sections[len(made.sections)-1]
				last.Text += " " + plain(n, data)
			}
			continue
		}
		id, _ := h.AttributeString("id")
		anchor, _ := id.([]byte)
		title := plain(h, data)
		if h.Level == 1 && made.Title == p {
			made.Title = title
		}
		made.sections = append(made.sections, section{Title: title, Anchor: string(anchor)})
	}
	return made
}

// plain returns the words of a node.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(source))
			if n.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		default:
			if n.Type() == ast.TypeBlock {
				for i := range n.Lines().Len() {
					if n.Kind() == ast.KindCodeBlock || n.Kind() == ast.KindFencedCodeBlock {
						line := n.Lines().At(i)
						b.Write(line.Value(source))
					}
				}
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// link turns the links of a page into those of the site. names are the files by the paths of documents.
func (p *page) link(root string, names map[string]string) error {
	return ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var to *[]byte
		switch n := n.(type) {
		case *ast.Link:
			to = &n.Destination
		case *ast.Image:
			to = &n.Destination
		default:
			return ast.WalkContinue, nil
		}
		target, anchor, _ := strings.Cut(string(*to), "#")
		if target == "" || strings.Contains(target, "://") {
			return ast.WalkContinue, nil
		}
		file := path.Join(path.Dir(p.Path), target)
		if anchor != "" {
			anchor = "#" + anchor
		}
		info, err := os.Stat(filepath.Join(root, file))
		switch name, isPage := names[file]; {
		case isPage:
			*to = []byte(name + anchor)
		case err != nil:
			return ast.WalkStop, fmt.Errorf("%s links to %s, which is not there", p.Path, target)
		case strings.HasPrefix(file, "docs/") && !info.IsDir(): // pictures, and pages as hexcc makes them
			p.files = append(p.files, file)
			*to = []byte(strings.TrimPrefix(file, "docs/") + anchor)
		default:
			*to = []byte(repository + file)
		}
		return ast.WalkContinue, nil
	})
}

// render sets the HTML of a page.
func (p *page) render() error {
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, p.markdown, p.tree); err != nil {
		return err
	}
	// Wide tables and long lines scroll by themselves, and by the keyboard.
	body := strings.ReplaceAll(b.String(), "<table>", `<div class="wide" tabindex="0" role="group" aria-label="table"><table>`)
	body = strings.ReplaceAll(body, "</table>", "</table></div>")
	body = strings.ReplaceAll(body, "<th></th>", "<td></td>")
	p.Body = strings.ReplaceAll(body, "<pre>", `<pre tabindex="0">`)
	return nil
}
