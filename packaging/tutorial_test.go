package packaging_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
)

// TestTutorial follows docs/tutorial.md: files are written as they stand there, and what is marked as shell runs, in one folder.
func TestTutorial(t *testing.T) {
	cmake, dir := tool.CMake(t), t.TempDir()
	t.Setenv("PATH", strings.Join([]string{filepath.Dir(tool.Hexcc(t, "..")), filepath.Dir(cmake), os.Getenv("PATH")}, string(os.PathListSeparator)))
	text, err := os.ReadFile("../docs/tutorial.md")
	require.NoError(t, err)
	files, ran := 0, 0
	for _, m := range regexp.MustCompile("(?sm)^```(\\w+)(?: (\\S+))?\n(.*?)^```").FindAllStringSubmatch(string(text), -1) {
		switch language, name, body := m[1], m[2], m[3]; {
		case name != "":
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(body), 0o666))
			files++
		case language == "sh":
			tool.RunIn(t, dir, "sh", "-ec", body)
			ran++
		}
	}
	require.GreaterOrEqual(t, files, 6)
	require.GreaterOrEqual(t, ran, 7)
	for _, made := range []string{"heat.hex_kernel.cu", "heat.html", "heat.svg"} {
		require.FileExists(t, filepath.Join(dir, made))
	}
}
