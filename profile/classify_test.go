package profile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// classesOf returns what bounds a kernel, and what else was found, in a line.
func classesOf(findings []Finding) string {
	var parts []string
	for _, f := range findings {
		parts = append(parts, strings.TrimSpace(string(f.Class)+" "+f.Reason))
	}
	return strings.Join(parts, ", ")
}

// evidenceOf returns what a file tells of its only kernel.
func evidenceOf(t *testing.T, name string, text []byte) *Evidence {
	t.Helper()
	launches, err := Parse(name, text)
	require.NoError(t, err)
	all := Group(launches)
	require.Len(t, all, 1)
	require.NotEmpty(t, all[0].CC)
	return all[0].Evidence(DeviceOf(all[0].CC))
}

// section returns a file of an archive.
func section(t *testing.T, path, name string) []byte {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	for _, f := range archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	t.Fatalf("%s: no section %s", path, name)
	return nil
}

// TestClasses: what files made for it say is found, and nothing else. The classes are written by hand, from the numbers.
func TestClasses(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	seen := map[Class]bool{}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			found := evidenceOf(t, path, section(t, path, "ncu.csv")).Classify()
			require.Equal(t, strings.TrimSpace(string(section(t, path, "classes"))), classesOf(found))
			for _, f := range found {
				seen[f.Class] = true
				require.NotEmpty(t, f.Text)
			}
		})
	}
	for _, class := range []Class{BoundMemory, BoundL2, BoundL1, BoundShared, BoundUnits, BoundIssue, BoundLatency, BoundIdle, BoundFetch, BoundSpills, HasConflicts, HasFewWarps, HasGaps, Unknown} {
		require.True(t, seen[class], "no file shows %q", class)
	}
}

// TestThresholds: from a threshold on something is found, and right below it is not.
func TestThresholds(t *testing.T) {
	quiet := func() *Evidence {
		return &Evidence{
			Shares: map[Resource]float64{DeviceMemory: 0.1, Issue: 0.1}, Stalls: map[string]float64{"wait": 0.1},
			Idle: Known{0, true}, Spills: Known{0, true}, Conflicts: Known{0, true}, Warps: Known{1, true}, Gaps: Known{0, true},
		}
	}
	require.Equal(t, "latency wait", classesOf(quiet().Classify()))
	for _, x := range []struct {
		class Class
		at    float64
		below bool // it is found below
		set   func(e *Evidence, v float64)
	}{
		{BoundMemory, BusyShare, false, func(e *Evidence, v float64) { e.Shares[DeviceMemory] = v }},
		{BoundL2, BusyShare, false, func(e *Evidence, v float64) { e.Shares[L2] = v }},
		{BoundShared, BusyShare, false, func(e *Evidence, v float64) { e.Shares[SharedMemory] = v }},
		{BoundUnits, BusyShare, false, func(e *Evidence, v float64) { e.Shares[Special] = v }},
		{BoundIssue, BusyShare, false, func(e *Evidence, v float64) { e.Shares[Issue] = v }},
		{BoundIdle, IdleShare, false, func(e *Evidence, v float64) { e.Idle.Value = v }},
		{BoundSpills, SpillShare, false, func(e *Evidence, v float64) { e.Spills.Value = v }},
		{HasConflicts, ConflictShare, false, func(e *Evidence, v float64) { e.Conflicts.Value = v }},
		{BoundFetch, FetchShare, false, func(e *Evidence, v float64) { e.Stalls["no_instruction"] = v }},
		{HasGaps, GapShare, false, func(e *Evidence, v float64) { e.Gaps.Value = v }},
		{HasFewWarps, FewWarps, true, func(e *Evidence, v float64) { e.Warps.Value = v }},
	} {
		found := func(v float64) bool {
			e := quiet()
			x.set(e, v)
			for _, f := range e.Classify() {
				if f.Class == x.class {
					return true
				}
			}
			return false
		}
		require.Equal(t, !x.below, found(x.at+1e-9), "%s above %v", x.class, x.at)
		require.Equal(t, x.below, found(x.at-1e-9), "%s below %v", x.class, x.at)
	}
}

// TestNotTold: where a share that would tell is missing, nothing is said to be idle or to wait.
func TestNotTold(t *testing.T) {
	text := section(t, "testdata/latency.txtar", "ncu.csv")
	for _, metric := range []string{"smsp__issue_active", "sm__throughput"} {
		text = []byte(strings.ReplaceAll(string(text), metric, "other__"+metric))
	}
	require.Equal(t, "not known", classesOf(evidenceOf(t, "ncu.csv", text).Classify()))
}

// TestDocumented: docs/profile.md has the thresholds that are used.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/profile.md")
	require.NoError(t, err)
	for _, share := range []float64{BusyShare, IdleShare, SpillShare, SpillBound, ConflictShare, FetchShare, WaitShare, FewWarps, GapShare} {
		require.Regexp(t, fmt.Sprintf(`[^0-9.]%.0f %% `, 100*share), string(page))
	}
	require.Contains(t, string(page), fmt.Sprintf("more than %v times", DifferFrom))
	for class := range map[Class]bool{BoundMemory: true, BoundL2: true, BoundL1: true, BoundShared: true, BoundUnits: true, BoundIssue: true, BoundCompute: true, BoundLatency: true, BoundIdle: true, BoundFetch: true,
		BoundSpills: true, HasConflicts: true, HasFewWarps: true, HasGaps: true, Unknown: true} {
		require.Contains(t, string(page), "`"+string(class)+"`")
	}
	for _, m := range metricTable {
		require.Contains(t, string(page), "`"+string(m.quantity)+"`")
	}
}
