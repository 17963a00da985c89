package hexcc_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/browser"
	"github.com/hexcc/hexcc/schedule"
)

// TestPageInBrowser opens pages of a GPU and of a CPU as people do: light, dark, narrow, printed, and by the keyboard alone; and has axe look for
// what keeps people out. No script fails, and nothing is wider than the window.
func TestPageInBrowser(t *testing.T) {
	text, err := os.ReadFile("examples/fdtd-2d.c")
	require.NoError(t, err)
	for name, o := range map[string]hexcc.Options{
		"cuda":   {Tile: &schedule.Sizes{H: 1, W: []int64{2, 32}}},
		"openmp": {Target: hexcc.OpenMP, Tile: &schedule.Sizes{H: 3, W: []int64{4, 64}}},
	} {
		_, _, html := page(t, "fdtd-2d.c", string(text), o)
		file := filepath.Join(t.TempDir(), name+".html")
		require.NoError(t, os.WriteFile(file, []byte(html), 0o666))
		p := browser.Open(t, file, browser.View{Width: 1200, Height: 900})
		for _, v := range []browser.View{{Width: 1200, Height: 900}, {Width: 1200, Height: 900, Dark: true}, {Width: 390, Height: 800}} {
			p.Look(v)
			require.Empty(t, p.Axe(), "%s: %+v", name, v)
			require.False(t, p.Scrolls(), "%s: %+v", name, v)
		}
		p.Look(browser.View{Width: 1200, Height: 900})
		var lit string
		p.Eval("document.querySelector('[tabindex=\"0\"], button').focus(), ''", &lit)
		for range 12 { // by the tab key, a statement is reached, and what belongs to it lights up
			p.Press("\t")
			if p.Eval("String(document.querySelectorAll('.lit, .on, .kept').length)", &lit); lit != "0" {
				break
			}
		}
		require.NotEqual(t, "0", lit, name)
		require.LessOrEqual(t, p.PDF(), 20, name)
		require.Empty(t, p.Errors, name)
	}
}
