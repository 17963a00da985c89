package hexcc_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/gallery"
	"github.com/hexcc/hexcc/report"
)

// TestLinks: what the documents link to is there, and the gallery shows every picture.
func TestLinks(t *testing.T) {
	docs, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	link, code := regexp.MustCompile(`\]\(([^)#]+)\)`), regexp.MustCompile("`[^`\n]*`")
	var shown []string
	for _, doc := range append(docs, "README.md", "ARCHITECTURE.md", "RATIONALE.md") {
		text, err := os.ReadFile(doc)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			path := filepath.Join(filepath.Dir(doc), m[1])
			_, err := os.Stat(path)
			require.NoError(t, err, "%s links to %s", doc, m[1])
			shown = append(shown, path)
		}
	}
	images, err := filepath.Glob("docs/images/*.svg")
	require.NoError(t, err)
	for _, image := range images {
		require.True(t, slices.Contains(shown, image), "no document shows %s", image)
	}
	pictures, err := os.ReadFile("docs/pictures.md")
	require.NoError(t, err)
	for _, name := range report.PictureNames {
		require.True(t, strings.Contains(string(pictures), "## "+name+":"), name)
	}
}

// TestGalleryPage checks that docs/gallery.md shows each program of the gallery, in its own words.
func TestGalleryPage(t *testing.T) {
	all, err := gallery.Read("examples/gallery")
	require.NoError(t, err)
	page, err := os.ReadFile("docs/gallery.md")
	require.NoError(t, err)
	require.Equal(t, gallery.Page(all), string(page), "make gallery makes it anew")
	for _, p := range all {
		_, err := os.Stat("docs/images/gallery/" + p.Name + ".png")
		require.NoError(t, err, "make gallery makes it")
	}
}
