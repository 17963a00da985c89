package hexcc_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
)

// TestCodesAreExplained checks that hexcc explain knows every code in the sources.
func TestCodesAreExplained(t *testing.T) {
	codes := map[string]string{}
	for dir := range packages(t) {
		paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			for _, code := range regexp.MustCompile(`HX\d{3}`).FindAllString(string(text), -1) {
				codes[code] = path
			}
		}
	}
	require.Greater(t, len(codes), 10)
	for code, path := range codes {
		_, known := diag.TopicOf(diag.Code(code))
		require.True(t, known, "%s, used in %s, is not explained", code, path)
	}
}
