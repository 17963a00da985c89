package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/model"
)

// TestCells: each program has each device and grid once, and any first few have about as many of each.
func TestCells(t *testing.T) {
	var all []program
	for _, f := range files {
		all = append(all, program{name: f})
	}
	require.GreaterOrEqual(t, len(all), 30)
	seen, by := map[string]bool{}, map[string]int{}
	list := cells(all)
	require.Len(t, list, len(all)*len(devices)*len(sizes))
	for i, c := range list {
		key := c.name + c.arch + c.size.name
		require.False(t, seen[key], key)
		seen[key] = true
		by[c.arch]++
		by[c.size.name]++
		if n := i + 1; n >= 12 {
			for _, arch := range devices {
				require.InDelta(t, float64(n)/float64(len(devices)), by[arch], 4, "%s of %d", arch, n)
			}
			for _, s := range sizes {
				require.InDelta(t, float64(n)/float64(len(sizes)), by[s.name], 6, "%s of %d", s.name, n)
			}
		}
	}
}

// TestGrids: the grid that is assumed, one of fewer points, one of few steps; where there is no time loop one of more points.
func TestGrids(t *testing.T) {
	t.Chdir("../..")
	all, err := readPrograms(regexp.MustCompile("^(jacobi-2d|harris)$"))
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, p := range all {
		var got []string
		for _, s := range sizes {
			grid, err := p.grid(s)
			require.NoError(t, err)
			got = append(got, gridText(grid))
		}
		require.Equal(t, map[string][]string{"jacobi-2d": {"", "n=2048", "T=4"}, "harris": {"", "m=2048,n=2048", "m=32768,n=32768"}}[p.name], got)
	}
	_, err = readPrograms(regexp.MustCompile("^$"))
	require.Error(t, err)
}

// TestLog: what was added is there again, the later of two of a key, and a last line that is not whole is dropped.
func TestLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "log.jsonl")
	l, err := openLog(path)
	require.NoError(t, err)
	require.Empty(t, l.all)
	for _, e := range []Entry{{Key: "a", Program: "one"}, {Key: "b", Program: "two"}, {Key: "a", Program: "three", Ways: []Way{{Way: "space", Replayed: 7}}}} {
		require.NoError(t, l.add(e))
	}
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(whole, `{"key":"c","prog`...), 0o666))
	again, err := openLog(path)
	require.NoError(t, err)
	require.Equal(t, l.all, again.all)
	require.Equal(t, "three", again.all["a"].Program)
	left, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, whole, left)
	require.NoError(t, os.WriteFile(path, []byte("no\n"), 0o666))
	_, err = openLog(path)
	require.ErrorContains(t, err, ":1:")
	require.NotEqual(t, keyOf("ab", "c"), keyOf("a", "bc"))
}

// TestReadWays reads what bench/sass writes.
func TestReadWays(t *testing.T) {
	ways, err := readWays([]byte(`{"Program":"k","Arch":"sm_1","Way":"hybrid","Expected":1,"Replayed":2,"Sizes":"h=1,w0=2","Ready":true}` + "\n" + `{"Way":"space","Why":"no"}` + "\n"))
	require.NoError(t, err)
	require.Equal(t, []Way{{Way: "hybrid", Expected: 1, Replayed: 2, Sizes: "h=1,w0=2", Ready: true}, {Way: "space", Why: "no"}}, ways)
}

// TestJudge: what is best by the replay need not be likely to be; a way that was not replayed has no verdict.
func TestJudge(t *testing.T) {
	outlook := &model.Outlook{Seconds: true, Overlapped: &model.Expected{PerPoint: 1}}
	v := verdict{took: "overlapped", Entry: Entry{Program: "p", Ways: []Way{{Way: "streaming", Replayed: 300}, {Way: "overlapped", Replayed: 150}, {Way: "space", Why: "no"}}}}
	v.judge(outlook)
	require.Equal(t, "streaming", v.best)
	require.Equal(t, 2.0, v.off)
	require.Equal(t, "overlapped", v.likely, "rows that stream take three times as long as the replay says")
	require.Equal(t, 1.0, v.offThen)
	v.took = "space"
	v.judge(outlook)
	require.Equal(t, "space was not replayed: no", v.why)
	v = verdict{took: "space", Entry: Entry{Ways: []Way{{Way: "plain loops", Seconds: 1}, {Way: "space", Seconds: 3}, {Way: "hybrid", Seconds: 2}}}}
	v.judge(nil)
	require.Equal(t, "hybrid", v.best, "of what can be taken")
	require.Equal(t, 1.5, v.off)
}

// TestTable: shares, losers and figures by hand.
func TestTable(t *testing.T) {
	at := time.Date(2026, 11, 27, 1, 2, 0, 0, time.UTC)
	entry := func(name string, ways ...Way) Entry {
		return Entry{Program: name, Device: "sm_1", Size: "small", At: at, Ways: ways}
	}
	text := table([]verdict{
		{Entry: entry("good", Way{Way: "space", Replayed: 2e9, Expected: 1e9}), took: "space", best: "space", off: 1, likely: "space", offThen: 1},
		{Entry: entry("bad", Way{Way: "space", Replayed: 2e9}, Way{Way: "untiled", Replayed: 8e9, Why: "turns"}), took: "space", best: "untiled", off: 4, likely: "untiled", offThen: 4, other: []string{"space"}},
		{Entry: entry("none"), why: "it took longer"},
	}, 9)
	for _, want := range []string{
		"3 of 9 cells were looked at, up to 27 November 2026, 01:02 UTC; 2 of them have a verdict.",
		"| all | 2 | 1, 50 % | 2.00 | 4.00 (bad, small) | 2 | 1, 50 % | 2.00 | 4.00 (bad, small) |",
		"| bad | sm_1 | small | space | untiled | 4.00 | 4.00 |",
		"| bad | sm_1 | small | space | untiled | 4.00 | 4.00 | - | - | - | 2* | 8† |",
		"| good | sm_1 | small | space | space | 1.00 | 1.00 | - | - | - | 2 (1) | - |",
		"- none, sm_1, small: it took longer",
	} {
		require.Contains(t, text, want+"\n")
	}
	text = cpuTable([]verdict{{Entry: Entry{Program: "p", Device: "1 thread", Grid: "n=3", Ways: []Way{{Way: "space", Seconds: 0.5}, {Way: "hybrid", Why: "no"}, {Way: "plain loops", Seconds: 0.25}}}, took: "space", best: "space", off: 1}})
	require.Contains(t, text, "| all | 1 | 1, 100 % | 1.00 | 1.00 (p, ) |\n")
	require.Contains(t, text, "| p | 1 thread | n=3 | space | space | 1.00 | ? | - | - | 500 | 250 | - |\n")
	page := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(page, []byte("# A\n"+begins+"\nold\n"+ends+"\nb\n"), 0o666))
	require.NoError(t, writePage(page, "new\n"))
	got, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, "# A\n"+begins+"\n\nnew\n\n"+ends+"\nb\n", string(got))
	require.NoError(t, os.WriteFile(page, []byte("# A\n"), 0o666))
	require.ErrorContains(t, writePage(page, "new"), "no lines")
}

// TestReplayed runs programs in place of bench/sass: one that writes lines, one that takes too long, one that fails.
func TestReplayed(t *testing.T) {
	dir := t.TempDir()
	script := func(text string) string {
		path := filepath.Join(dir, "sass")
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o777))
		return path
	}
	c := cell{program: program{name: "p", path: "p.c"}, arch: "sm_1"}
	e, err := replayer{script(`for a; do case $a in -json=*) echo '{"Way":"space","Replayed":5}' >"${a#-json=}";; esac; done`), dir, time.Minute}.replay(c, Entry{Key: "k"})
	require.NoError(t, err)
	require.Equal(t, []Way{{Way: "space", Replayed: 5}}, e.Ways)
	e, err = replayer{script("echo 'p, sm_1: nothing applies' >&2"), dir, time.Minute}.replay(c, Entry{})
	require.NoError(t, err)
	require.Equal(t, "nothing applies", strings.TrimSpace(e.Why))
	e, err = replayer{script("exec sleep 20"), dir, 100 * time.Millisecond}.replay(c, Entry{})
	require.NoError(t, err)
	require.Equal(t, "it took longer than 100ms", e.Why)
	_, err = replayer{script("echo no >&2; exit 3"), dir, time.Minute}.replay(c, Entry{})
	require.ErrorContains(t, err, "exit status 3: no")
}

// TestLock: a file that is locked is waited for.
func TestLock(t *testing.T) {
	paths := []string{filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")}
	unlock, err := lock(paths)
	require.NoError(t, err)
	second := make(chan error)
	go func() {
		unlock, err := lock(paths[1:])
		if err == nil {
			err = unlock()
		}
		second <- err
	}()
	select {
	case <-second:
		require.Fail(t, "it is locked twice")
	case <-time.After(50 * time.Millisecond):
	}
	require.NoError(t, unlock())
	require.NoError(t, <-second)
}
