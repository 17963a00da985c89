package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/ctext"
)

// TestRandomPlaces writes one to four files to random places of random folders, some times with a renaming or a link
// that fails. Whatever comes of it: inputs, read-only files and what hexcc did not make are as they were, by all their
// names; either all outputs are there or nothing has changed; links lead where they led; and nothing else is there.
func TestRandomPlaces(t *testing.T) {
	t.Cleanup(func() { rename, link = os.Rename, os.Link })
	r := rand.New(rand.NewPCG(3, 4))
	written, refused, failed := 0, 0, 0
	for range 600 {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o777))
		var inputs []input
		var names []string
		for i := range 7 {
			name := filepath.Join(dir, []string{"", "sub"}[r.IntN(2)], fmt.Sprint("f", i))
			names = append(names, name)
			some := names[r.IntN(len(names))]
			write := func(text string, mode fs.FileMode) {
				require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
				require.NoError(t, os.Chmod(name, mode))
			}
			switch r.IntN(10) {
			case 0, 1:
				write("// x: "+ctext.Made+" from y\nold\n", []fs.FileMode{0o644, 0o600, 0o755}[r.IntN(3)])
			case 2:
				write("the work of many hours\n", 0o644)
			case 3:
				write("// "+ctext.Made+", read-only\n", 0o444)
			case 4:
				write("// "+ctext.Made+", but it is read\n", 0o644)
				info, err := os.Stat(name)
				require.NoError(t, err)
				inputs = append(inputs, input{name, info})
			case 5:
				if some != name {
					_ = os.Link(some, name)
				}
			case 6:
				require.NoError(t, os.Symlink(some, name)) // to itself, too
			case 7:
				write("", 0o644)
			}
		}
		before := snapshot(t, dir)
		w := writer{inputs: inputs, force: r.IntN(4) == 0}
		var files []outFile
		for i := range 1 + r.IntN(4) {
			path := names[r.IntN(len(names))]
			if r.IntN(3) == 0 {
				path = filepath.Dir(path) + "/../" + filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
			}
			files = append(files, outFile{path: path, text: fmt.Appendf(nil, "// %s, new %d\n", ctext.Made, i)})
		}
		fails := errors.New("no renaming")
		left := r.IntN(8)
		rename = func(from, to string) error {
			if left--; left == 0 {
				return fails
			}
			return os.Rename(from, to)
		}
		link = os.Link
		if r.IntN(3) == 0 {
			link = func(string, string) error { return errors.ErrUnsupported }
		}
		err := w.writeAll(files)
		after := snapshot(t, dir)
		if err != nil {
			require.Equal(t, before, after, "%v", err)
			if refused++; errors.Is(err, fails) {
				failed++
			}
			continue
		}
		written++
		outputs := map[string]bool{}
		for _, f := range files {
			text, err := os.ReadFile(f.path)
			require.NoError(t, err)
			require.Equal(t, string(f.text), string(text))
			real, err := filepath.EvalSymlinks(f.path)
			require.NoError(t, err)
			require.False(t, outputs[real], "two outputs are %s", real)
			outputs[real] = true
		}
		for name, old := range before {
			switch now := after[name]; {
			case !outputs[name]:
				require.Equal(t, old, now, name)
			default:
				require.False(t, strings.Contains(old, "read-only") || strings.Contains(old, "it is read"), "%s: %s", name, old)
				require.True(t, w.force || !strings.Contains(old, "hours"), "%s: %s", name, old)
				require.Equal(t, old[:10], now[:10], "the mode of %s", name)
			}
		}
		for name := range after {
			require.True(t, before[name] != "" || outputs[name], "%s has come from nowhere", name)
		}
	}
	t.Logf("%d runs wrote, %d did not, %d of them because a renaming failed", written, refused, failed)
	require.Greater(t, written, 60)
	require.Greater(t, failed, 10)
}

// snapshot returns what is in a folder, by path: the mode, and the text or where a link leads.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var text []byte
		if info.Mode()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(path)
			all[path] = info.Mode().String()[:10] + " -> " + to
			return err
		}
		text, err = os.ReadFile(path)
		all[path] = info.Mode().String()[:10] + " " + string(text)
		return err
	}))
	return all
}
