// Package browser opens pages in a real browser, without a window, for tests.
package browser

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
)

// A Page is a page that is open.
type Page struct {
	t      testing.TB
	ctx    context.Context
	Errors []string // that scripts of it ended by, or wrote
}

// A View is how a page is looked at.
type View struct {
	Width, Height int64 // of the window, in pixels
	Dark, Print   bool
}

// program returns the browser, which must not be missing: what HEXCC_CHROMIUM names, chromium, or Chrome.
func program(t testing.TB) string {
	for _, name := range []string{os.Getenv("HEXCC_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	tool.Missing(t, "no chromium on PATH")
	return ""
}

// Open starts a browser with a page, the path of a file, which ends with the test.
func Open(t testing.TB, file string, v View) *Page {
	t.Helper()
	path, err := filepath.Abs(file)
	require.NoError(t, err)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program(t)), chromedp.NoSandbox, chromedp.WSURLReadTimeout(time.Minute))
	ctx, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	ctx, end = chromedp.NewContext(ctx)
	t.Cleanup(end)
	ctx, end = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(end)
	p := &Page{t: t, ctx: ctx}
	chromedp.ListenTarget(ctx, func(e any) {
		switch e := e.(type) {
		case *runtime.EventExceptionThrown:
			p.Errors = append(p.Errors, e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError {
				p.Errors = append(p.Errors, "console.error")
			}
		}
	})
	p.Look(v)
	p.do(chromedp.Navigate("file://" + path))
	return p
}

func (p *Page) do(actions ...chromedp.Action) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Run(p.ctx, actions...))
}

// Look changes how the page is looked at.
func (p *Page) Look(v View) {
	scheme, media := "light", "screen"
	if v.Dark {
		scheme = "dark"
	}
	if v.Print {
		media = "print"
	}
	p.do(emulation.SetDeviceMetricsOverride(v.Width, v.Height, 1, v.Width < 600),
		emulation.SetEmulatedMedia().WithMedia(media).WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
}

// Eval sets result to the value of an expression of JavaScript, which may be a promise.
func (p *Page) Eval(expression string, result any) {
	p.t.Helper()
	p.do(chromedp.Evaluate(expression, result, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
}

// Press sends keys to what has the focus: text, or the keys of package kb.
func (p *Page) Press(keys string) { p.do(chromedp.KeyEvent(keys)) }

// Follow presses keys that lead somewhere, on this page or to another one, and waits until the page is there.
func (p *Page) Follow(keys string) {
	p.t.Helper()
	_, err := chromedp.RunResponse(p.ctx, chromedp.KeyEvent(keys))
	require.NoError(p.t, err)
}

// Save writes a picture of what is seen, or of the whole page, as PNG.
func (p *Page) Save(file string, whole bool) {
	var picture []byte
	shot := chromedp.CaptureScreenshot(&picture)
	if whole {
		shot = chromedp.FullScreenshot(&picture, 100)
	}
	p.do(shot)
	require.NoError(p.t, os.WriteFile(file, picture, 0o666))
}

// PDF returns how many pages the page prints on.
func (p *Page) PDF() (pages int) {
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		data, _, err := page.PrintToPDF().WithPrintBackground(false).Do(ctx)
		pages = strings.Count(string(data), "/Type /Page\n")
		return err
	}))
	return pages
}

// A Violation is what axe, a program that looks for what keeps people out of a page, finds.
type Violation struct {
	ID, Impact, Help string
	Nodes            []struct{ HTML string }
}

// Axe returns what axe finds. Its text, axe.min.js, is the file that HEXCC_AXE names, which must not be missing.
func (p *Page) Axe() (found []Violation) {
	p.t.Helper()
	text, err := os.ReadFile(os.Getenv("HEXCC_AXE"))
	if err != nil {
		tool.Missing(p.t, "HEXCC_AXE names no axe.min.js: %v", err)
	}
	var nothing, result string
	p.Eval(string(text)+"\n;''", &nothing)
	p.Eval(`axe.run().then((r) => JSON.stringify(r.violations.map((v) => ({ ID: v.id, Impact: v.impact, Help: v.help, Nodes: v.nodes.map((n) => ({ HTML: n.html })) }))))`, &result)
	require.NoError(p.t, json.Unmarshal([]byte(result), &found))
	return found
}

// Scrolls says whether the page is wider than its window.
func (p *Page) Scrolls() (wider bool) {
	p.Eval("document.documentElement.scrollWidth > document.documentElement.clientWidth", &wider)
	return wider
}
