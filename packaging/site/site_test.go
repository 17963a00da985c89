package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/browser"
)

// written makes the site, and returns its folder.
func written(t *testing.T) string {
	out := t.TempDir()
	n, err := Write("../..", out)
	require.NoError(t, err)
	pages, err := filepath.Glob(filepath.Join(out, "*.html"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(pages), n)
	return out
}

// TestSiteLinks follows every link of every page that leads to the site: the file is there, and the place in it.
func TestSiteLinks(t *testing.T) {
	out := written(t)
	link, id := regexp.MustCompile(`(?:href|src)="([^"]*)"`), regexp.MustCompile(`id="([^"]*)"`)
	pages, err := filepath.Glob(filepath.Join(out, "*.html"))
	require.NoError(t, err)
	anchors := map[string]map[string]bool{}
	text := map[string]string{}
	for _, p := range pages {
		data, err := os.ReadFile(p)
		require.NoError(t, err)
		name := filepath.Base(p)
		text[name], anchors[name] = string(data), map[string]bool{}
		for _, m := range id.FindAllStringSubmatch(string(data), -1) {
			require.False(t, name != "sample.html" && anchors[name][m[1]], "%s has %s twice", name, m[1])
			anchors[name][m[1]] = true
		}
	}
	followed := 0
	for name, html := range text {
		if name == "sample.html" { // a page of its own
			continue
		}
		for _, m := range link.FindAllStringSubmatch(html, -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, "://") {
				require.True(t, strings.HasPrefix(to, "https://"), to)
				continue
			}
			if to == "" {
				to = name
			}
			require.FileExists(t, filepath.Join(out, to), "%s links to it", name)
			require.True(t, anchor == "" || anchors[to][anchor], "%s links to %s#%s", name, to, anchor)
			followed++
		}
		require.Contains(t, html, "<title>")
		require.Contains(t, html, `aria-current="page"`)
	}
	require.Greater(t, followed, 500)
}

// TestSiteMistakes breaks what the site is made of.
func TestSiteMistakes(t *testing.T) {
	write := func(files map[string]string) error {
		root := t.TempDir()
		for name, text := range files {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o777))
			require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o666))
		}
		_, err := Write(root, t.TempDir())
		return err
	}
	require.NoError(t, write(map[string]string{"README.md": "# a\n[b](docs/input.md#x)\n", "docs/input.md": "# x\n"}))
	require.ErrorContains(t, write(map[string]string{"README.md": "[b](docs/none.md)"}), "README.md links to docs/none.md, which is not there")
	require.ErrorContains(t, write(map[string]string{"docs/new.md": "# new"}), "docs/new.md is in no group")
}

// TestSiteInBrowser looks at pages as people do: light, dark, narrow, by the keyboard, and with axe.
func TestSiteInBrowser(t *testing.T) {
	out := written(t)
	p := browser.Open(t, filepath.Join(out, "streaming.html"), browser.View{Width: 1200, Height: 900})
	for _, v := range []browser.View{{Width: 1200, Height: 900}, {Width: 1200, Height: 900, Dark: true}, {Width: 390, Height: 800}, {Width: 390, Height: 800, Dark: true}} {
		p.Look(v)
		require.Empty(t, p.Axe(), "%+v", v)
		require.False(t, p.Scrolls(), "%+v", v)
	}
	p.Look(browser.View{Width: 1200, Height: 900})
	var focused string
	p.Eval("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true })), document.activeElement.id", &focused)
	require.Equal(t, "search-words", focused)
	p.Press("asynchronous copies")
	var first string
	p.Eval("document.querySelector('#search-found a').getAttribute('href')", &first)
	require.Contains(t, first, "#")
	require.Empty(t, p.Axe())
	p.Follow("\r")
	var at string
	p.Eval("location.href", &at)
	require.True(t, strings.HasSuffix(at, first), "%s is not %s", at, first)
	require.Empty(t, p.Errors)
}
