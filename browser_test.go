package hexcc_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/browser"
	"github.com/hexcc/hexcc/internal/listing"
	"github.com/hexcc/hexcc/report"
	"github.com/hexcc/hexcc/schedule"
)

// usePage finds a word, folds a section, follows a link into it, and looks at the source beside what was made of it.
func usePage(t *testing.T, p *browser.Page) {
	ask := func(expression string) (answer string) {
		p.Eval("Promise.resolve("+expression+").then(String)", &answer)
		return answer
	}
	require.NotEqual(t, "0", ask("CSS.highlights.get('page-words').size"), "words of C have a colour")
	require.Equal(t, "true", ask("[...CSS.highlights.get('page-words')].every((r) => /^\\w+$/.test(r.toString()))"))

	p.Eval("document.querySelector('nav input').focus(), ''", new(string))
	p.Press("legality")
	all := ask("CSS.highlights.get('page-found').size")
	require.NotEqual(t, "0", all)
	require.Equal(t, "- of "+all, ask("document.querySelector('nav output').textContent"))
	p.Press("\r")
	require.Equal(t, "1 of "+all, ask("document.querySelector('nav output').textContent"))
	p.Press(" of nothing")
	require.Equal(t, "nothing", ask("document.querySelector('nav output').textContent"))

	proofs := "document.querySelector('section[id$=\"-proofs\"]')"
	require.Equal(t, "false", ask(proofs+".querySelector('.fold').click() || "+proofs+".querySelector('.fold').getAttribute('aria-expanded')"))
	height := ask(proofs + ".offsetHeight < 100")
	require.Equal(t, "true", height)
	require.Equal(t, "true", ask("document.querySelector('nav a[href$=\"-proofs\"]').click() || new Promise((r) => setTimeout(() => r("+proofs+".offsetHeight > 100), 200))"), "a link opens what it leads to")

	// Tiles step by step: each runs once, in the order of time tiles and phases.
	steps := ask("document.querySelector('.player input').max")
	require.NotEqual(t, "1", steps)
	p.Eval("document.querySelector('.player input').focus(), ''", new(string))
	p.Press(kb.Home)
	require.Equal(t, "1 of "+steps, strings.TrimSpace(strings.SplitAfter(ask("document.querySelector('.player output').textContent"), ":")[1]))
	const tiles, now, later = "document.querySelectorAll('figure.stepping .tile", ".now').length", ".later').length"
	ran, left := 0, -1
	for range count(t, steps) {
		n, after := count(t, ask(tiles+now)), count(t, ask(tiles+later))
		require.Positive(t, n)
		require.True(t, left < 0 || after == left-n, "%d are left of %d, and %d run", after, left, n)
		ran, left = ran+n, after
		p.Press(kb.ArrowRight)
	}
	require.Equal(t, ask("document.querySelector('.player').parentElement.querySelectorAll('.tile').length"), strconv.Itoa(ran))
	require.Equal(t, "all tiles", ask("document.querySelector('.player output').textContent"))
	require.Equal(t, "pause", ask("document.querySelectorAll('.player button')[1].click() || document.querySelectorAll('.player button')[1].textContent"))
	ask("document.querySelectorAll('.player button')[0].click()")
	require.Equal(t, "play", ask("document.querySelectorAll('.player button')[1].textContent"))

	// Expressions, by the pointer and by the keyboard.
	same := "CSS.highlights.get('page-same').size"
	p.Eval("document.querySelector('#source pre').focus(), ''", new(string))
	p.Press(".")
	require.Equal(t, "true", ask("/^ey\\[i\\]\\[j\\]: \\d+ places$/.test(document.getElementById('page-expression').textContent)"), ask("document.getElementById('page-expression').textContent"))
	first := ask(same)
	require.Less(t, 2, count(t, first))
	p.Press(".")
	require.NotEqual(t, ask("document.getElementById('page-expression').textContent"), "")
	require.Equal(t, "0", ask("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })) && "+same))
	require.Equal(t, first, ask("(() => { const line = document.querySelector('#source [data-x]'); line.scrollIntoView({ block: 'center' }); const r = new Range(); r.setStart(line.firstChild, 9); r.setEnd(line.firstChild, 10); const box = r.getBoundingClientRect(); line.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 })); return "+same+"; })()"))
	ask("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))")

	// Pictures grow, those of time along it alone.
	zoom := "document.querySelector('figure[data-picture=tiling] "
	wide := ask(zoom + "svg').getBoundingClientRect().width")
	ask(zoom + "[aria-label=\"zoom in\"]').click()")
	require.Equal(t, "true", ask(zoom+"svg').getBoundingClientRect().width > 1.4 * "+wide))
	p.Eval(zoom+".scroll').focus(), ''", new(string))
	p.Press("0")
	require.Equal(t, wide, ask(zoom+"svg').getBoundingClientRect().width"))

	// Machine code, line by line.
	p.Eval("document.querySelector('pre.machine').focus(), ''", new(string))
	p.Press("]]")
	require.Equal(t, "7 2 4", ask("(() => { const line = document.querySelector('.printed .of-line'), made = document.querySelector('.machine .of-line'); return made.dataset.k + ' ' + line.dataset.n + ' ' + Array.from(line.parentElement.children).findIndex((e) => e.dataset.n === '1'); })()"))
	require.Equal(t, "0px", ask("getComputedStyle(document.querySelector('.printed .of-line'), '::after').top"), "a count stands in its line")
	require.Equal(t, "true", ask("document.getElementById('page-machine').click() || document.querySelector('.beside').contains(document.querySelector('pre.machine'))"))
	ask("document.getElementById('page-machine').click()")

	require.Equal(t, "2", ask("document.querySelectorAll('.beside.two > pre').length"))
	require.Equal(t, "true", ask("document.querySelector('.beside .copy').textContent === document.querySelector('#source pre').textContent"))
	require.Equal(t, "1", ask("document.getElementById('page-beside').click() || document.querySelectorAll('.beside > pre').length"))
	ask("document.getElementById('page-beside').click()")
	require.Equal(t, "true", ask("document.querySelector('.beside .copy [data-s]').click() || document.querySelectorAll('.beside > pre:last-child .lit').length > 0"))
}

func count(t *testing.T, s string) int {
	n, err := strconv.Atoi(s)
	require.NoError(t, err)
	return n
}

// TestPageInBrowser opens pages of a GPU and of a CPU as people do: light, dark, narrow, printed, and by the keyboard alone; and has axe look for
// what keeps people out. No script fails, and nothing is wider than the window.
func TestPageInBrowser(t *testing.T) {
	text, err := os.ReadFile("examples/fdtd-2d.c")
	require.NoError(t, err)
	for name, o := range map[string]hexcc.Options{
		"cuda":   {Tile: &schedule.Sizes{H: 1, W: []int64{2, 32}}},
		"openmp": {Target: hexcc.OpenMP, Tile: &schedule.Sizes{H: 3, W: []int64{4, 64}}},
	} {
		res, src, _ := page(t, "fdtd-2d.c", string(text), o)
		made := res.Page(src, "fdtd-2d")
		made.Machine = &report.MachineCode{Language: "SASS", Command: "nvcc", Functions: []listing.Function{{Name: "f", Instructions: []listing.Instruction{
			{Text: "A", Line: 5}, {Text: "B", Line: 7}, {Text: "C", Line: 7}, {Text: "D", Line: 10}, {Label: "L", Text: "E"},
		}}}}
		html := string(report.HTML(made))
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
		usePage(t, p)
		require.LessOrEqual(t, p.PDF(), 20, name)
		require.Empty(t, p.Errors, name)
	}
}
