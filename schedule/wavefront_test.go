package schedule

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/scop"
)

// inPlace returns the programs whose space loops carry dependences, by name.
func inPlace(t testing.TB) map[string]*scop.Program {
	paths, err := filepath.Glob(testcases.File(t, "testdata/wavefront") + "/*.c")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	programs := map[string]*scop.Program{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		res, err := frontend.Parse(frontend.Source{Name: filepath.Base(path), Text: text}, frontend.Options{NoAlias: true})
		require.NoError(t, err, path)
		programs[strings.TrimSuffix(filepath.Base(path), ".c")] = scop.WithCoefficients(res.Programs[0])
	}
	return programs
}

// skewed returns the dependences of p, its skewed space and cone.
func skewed(t testing.TB, p *scop.Program) ([]Dependence, *Canonical, Cone) {
	deps, err := Dependences(p)
	require.NoError(t, err)
	c, err := Layout{}.Skewed(p, deps)
	require.NoError(t, err)
	require.NoError(t, c.Verify())
	cone, err := BoundSkewed(c, deps)
	require.NoError(t, err)
	require.NoError(t, cone.Verify())
	return deps, c, cone
}

// wavefrontSizes returns sizes for tests: small, uneven, and large.
func wavefrontSizes(c *Canonical) (list []Sizes) {
	hs := LegalH(c.K)
	for _, x := range []struct{ h, w int64 }{{hs[0], 1}, {hs[1], 5}, {hs[min(5, len(hs)-1)], 32}} {
		s := Sizes{H: x.h}
		for p := range c.Space {
			s.W = append(s.W, x.w+int64(p))
		}
		list = append(list, s)
	}
	return list
}

// TestWavefrontsAreProved proves tilings by parallelograms of programs in place.
func TestWavefrontsAreProved(t *testing.T) {
	for name, p := range inPlace(t) {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			deps, c, cone := skewed(t, p)
			t.Logf("%d dependences in %v\n%v%v", len(deps), time.Since(start).Round(10*time.Microsecond), c, cone)
			for _, sizes := range wavefrontSizes(c) {
				start = time.Now()
				s, err := Wavefront(c, cone, sizes)
				require.NoError(t, err)
				require.NoError(t, s.Verify())
				for _, proof := range []Proof{ProvePartition(s), ProveLegality(s, deps), ProveWaits(s, *s.Waits)} {
					assert.True(t, proof.Holds, "%v: %v", sizes, proof)
				}
				t.Logf("%v: %v\n%s", sizes, time.Since(start).Round(10*time.Microsecond), s.Waits.Text(s.Dims[:s.tileDims()]))
			}
		})
	}
}
