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

// TestInstall installs hexcc as packages do, in a folder of its own, and builds a CMake project with the package that is there then: a
// library for each target that compiles here, and programs that print what the original prints. A header that changes is noticed.
func TestInstall(t *testing.T) {
	tool.CXX(t)
	cmake, root := tool.CMake(t), t.TempDir()
	tool.RunIn(t, "..", "make", "install", "DESTDIR="+root, "PREFIX=/opt/hexcc", "RELEASE_FLAGS=") // built before, without them
	prefix := filepath.Join(root, "opt/hexcc")
	require.Equal(t, "hexcc "+hexcc.Version, strings.TrimSpace(tool.Run(t, filepath.Join(prefix, "bin/hexcc"), "version"))[:len("hexcc "+hexcc.Version)])
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "docs/install.md", "examples/Makefile"} {
		require.FileExists(t, filepath.Join(prefix, "share/doc/hexcc", name))
	}
	for name, has := range map[string]string{"man/man1/hexcc.1": ".TH", "bash-completion/completions/hexcc": "complete ", "zsh/site-functions/_hexcc": "#compdef hexcc", "fish/vendor_completions.d/hexcc.fish": "complete "} {
		text, err := os.ReadFile(filepath.Join(prefix, "share", name))
		require.NoError(t, err)
		require.Contains(t, string(text), has, name)
	}

	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/project")))
	configure := func(args ...string) string {
		return tool.RunIn(t, dir, cmake, append([]string{"-S", ".", "-B", "build", "-DCMAKE_PREFIX_PATH=" + prefix, "-DHEXCC_SHIM=ON"}, args...)...)
	}
	configure()
	build := func() string { return tool.RunIn(t, dir, cmake, "--build", "build") }
	require.Equal(t, 3, strings.Count(build(), "hexcc --target="))
	want := tool.RunIn(t, dir, "build/plain")
	require.Equal(t, 3, strings.Count(want, "\n"))
	for _, target := range []string{"cuda", "openmp", "c"} {
		require.Equal(t, want, tool.RunIn(t, dir, "build/with-"+target), target)
	}
	require.NotContains(t, build(), "hexcc --target=", "nothing has changed")
	header := filepath.Join(dir, "include/weights.h")
	require.NoError(t, os.WriteFile(header, []byte("#define WEIGHT 0.25f\n"), 0o666))
	require.Equal(t, 3, strings.Count(build(), "hexcc --target="))
	changed := tool.RunIn(t, dir, "build/plain")
	require.NotEqual(t, want, changed)
	require.Equal(t, changed, tool.RunIn(t, dir, "build/with-openmp"))

	for asked, status := range map[string]int{hexcc.Version: 0, "0.0.9": 1, "0.1": 0, "0.2": 1, "1": 1} {
		_, errs, got := tool.Output(t, cmake, "-S", dir, "-B", filepath.Join(dir, "asked"), "-DCMAKE_PREFIX_PATH="+prefix, "-DHEXCC_SHIM=ON", "-DASKED="+asked)
		require.Equal(t, status, got, "%s: %s", asked, errs)
	}
	_, errs, status := tool.Output(t, cmake, "-S", dir, "-B", filepath.Join(dir, "wrong"), "-DCMAKE_PREFIX_PATH="+prefix, "-DHEXCC_SHIM=ON", "-DWRONG=fortran")
	require.NotZero(t, status)
	require.Contains(t, strings.Join(strings.Fields(errs), " "), "TARGET is cuda, ptx, opencl, openmp, c, mpi or mpi+cuda, not 'fortran'")

	tool.RunIn(t, "..", "make", "uninstall", "DESTDIR="+root, "PREFIX=/opt/hexcc")
	require.Empty(t, left(t, prefix))
}

// left returns the files below a folder.
func left(t *testing.T, dir string) (files []string) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if !d.IsDir() {
			files = append(files, path)
		}
		return err
	}))
	return files
}
