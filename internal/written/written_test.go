package written

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	first = flag.Uint64("first", 1, "the seed of the first program")
	count = flag.Int("programs", 10, "how many programs are run")
	write = flag.String("write", "", "a folder to write them to, in place of running them")
)

// TestDefined runs programs under gcc's sanitizers: no run leaves its memory, or does what C does not define.
func TestDefined(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles")
	}
	dir := t.TempDir()
	for i := range *count {
		p := Make(*first + uint64(i))
		if *write != "" {
			name := filepath.Join(*write, fmt.Sprintf("p%d.c", p.Seed))
			require.NoError(t, os.WriteFile(name, []byte(p.Text+"/* "+p.Choices()+" */\n"), 0o666))
			continue
		}
		source, program := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
		require.NoError(t, os.WriteFile(source, []byte(p.Text), 0o666))
		out, err := exec.Command("gcc", "-w", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", source, "-o", program, "-lm").CombinedOutput()
		require.NoError(t, err, "seed %d: %s\n%s", p.Seed, out, p.Text)
		for _, args := range p.Runs {
			cmd := exec.Command(program, args...)
			cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
			out, err := cmd.CombinedOutput()
			if err != nil && string(out) == "too small\n" {
				continue
			}
			require.NoError(t, err, "seed %d %v: %s\n%s", p.Seed, args, out, p.Text)
			empty := slices.Contains(args, "0") // rows are shown one by one, and there may be none
			require.True(t, empty || strings.Contains(string(out), " "), "seed %d %v: %q\n%s", p.Seed, args, out, p.Text)
		}
	}
}

// TestShrink reduces a program to the choice that makes it bad.
func TestShrink(t *testing.T) {
	for seed := range uint64(50) {
		p := Make(seed)
		if !strings.Contains(p.Text, "swap(&") {
			continue
		}
		small := p.Shrink(func(q *Program) bool { return strings.Contains(q.Text, "swap(&") })
		require.Contains(t, small.Choices(), "buffers=swap function")
		require.LessOrEqual(t, strings.Count(small.Choices(), "="), 3, small.Choices()) // some choices need each other
	}
}

// TestEqualSeeds makes a program twice.
func TestEqualSeeds(t *testing.T) {
	for seed := range uint64(100) {
		require.Equal(t, Make(seed), Make(seed))
	}
}
