package packaging_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/tool"
)

// TestWheel makes a wheel, twice the same, installs it, and runs the tests of the package from there, and the example of docs/python.md.
func TestWheel(t *testing.T) {
	python, dir := tool.NumPy(t), t.TempDir()
	tool.CXX(t)
	binary := tool.Hexcc(t, "..")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "again"), 0o777))
	make := func(out string) string {
		return strings.TrimSpace(tool.Run(t, python, "wheel", binary, hexcc.Version+"-dev.1a2b3c4", "manylinux2014_x86_64.musllinux_1_1_x86_64", out))
	}
	wheel := make(dir)
	require.Equal(t, "hexcc-0.1.0.dev0+g1a2b3c4-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl", filepath.Base(wheel))
	first, err := os.ReadFile(wheel)
	require.NoError(t, err)
	again, err := os.ReadFile(make(filepath.Join(dir, "again")))
	require.NoError(t, err)
	require.Equal(t, first, again)

	site := filepath.Join(dir, "site")
	tool.Run(t, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--target", site, wheel)
	t.Setenv("PYTHONPATH", site)
	t.Setenv("HEXCC", "")
	t.Setenv("HEXCC_CACHE", filepath.Join(dir, "cache"))
	require.Contains(t, tool.Run(t, python, filepath.Join(site, "bin/hexcc"), "version"), "hexcc "+hexcc.Version)
	_, errs, status := tool.Output(t, python, "../python/tests/test_hexcc.py")
	require.Zero(t, status, errs)
	require.NotContains(t, errs, "skipped", "all of what tests need is there in CI")

	text, err := os.ReadFile("../docs/python.md")
	require.NoError(t, err)
	_, example, _ := strings.Cut(string(text), "```python\n")
	example, _, _ = strings.Cut(example, "```")
	script := filepath.Join(dir, "example.py")
	require.NoError(t, os.WriteFile(script, []byte(example+"print(A[0, 1, 1] > 0, A[0, 0, 5])\n"), 0o666))
	require.Equal(t, "True 1.0\n", tool.Run(t, python, script))
}
