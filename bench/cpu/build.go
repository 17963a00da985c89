package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A builder compiles programs in a folder of its own.
type builder struct {
	config
	dir string
}

// flags are for all programs: what a user of an HPC machine takes, but for contraction,
// with which results would not be comparable bit for bit. It is the line that translations print.
var flags = []string{"-O3", "-march=native", "-fopenmp", "-fno-math-errno", "-ffp-contract=off"}

// compilers returns those that are there.
func (b builder) compilers() (found []string, err error) {
	for _, cc := range b.config.compilers {
		path := present(cc)
		switch {
		case path != "":
			found = append(found, path)
		case cc == "gcc":
			return nil, fmt.Errorf("there is no %s", cc)
		default:
			fmt.Printf("%s: not there, left out\n", cc)
		}
	}
	return found, nil
}

// present returns the name of a compiler that is there, "" if it is not: for clang what
// HEXCC_CLANG names, or else clang, or the newest of those with a number.
func present(cc string) string {
	names := []string{cc}
	if own := os.Getenv("HEXCC_CLANG"); cc == "clang" && own != "" {
		names = []string{own}
	} else if cc == "clang" {
		for version := newestClang; version >= oldestClang; version-- {
			names = append(names, fmt.Sprint("clang-", version))
		}
	}
	for _, name := range names {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return ""
}

// The versions of clang that are looked for.
const oldestClang, newestClang = 14, 30

// command runs a program and returns what it printed.
func command(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String(), nil
}

// compile compiles and links, with flags before others.
func compile(cc string, args ...string) error {
	_, err := command(cc, append(append([]string{}, flags...), args...)...)
	return err
}

// build returns the program of a kernel, the tiles in it, and what tells it from all others.
func (b builder) build(k kernel, cc string) (program, tiles, id string, err error) {
	source := filepath.Join(b.folder, "kernels", k.name+".c")
	base := filepath.Join(b.dir, k.name)
	if _, err := command(b.hexcc, "-q", "--target=openmp", "--assume=noalias", "--tile="+b.tile, "--cpu="+b.cpu,
		fmt.Sprintf("--grid=n=%d,T=%d", k.n, k.T), "-o", base, source); err != nil {
		return "", "", "", err
	}
	text, err := os.ReadFile(base + ".hex.c")
	if err != nil {
		return "", "", "", err
	}
	program = base + "-" + filepath.Base(cc)
	link := []string{filepath.Join(b.folder, "kernels", "driver.c"), program + ".original.o", program + ".tiled.o"}
	steps := [][]string{
		{"-DENTRY=original", "-c", source, "-o", program + ".original.o"},
		{"-DENTRY=tiled", "-c", base + ".hex.c", "-o", program + ".tiled.o"},
	}
	var peer []byte
	if len(k.diamonds) > 0 {
		name := filepath.Join(b.folder, "peers", k.name+".c")
		if peer, err = os.ReadFile(name); err != nil {
			return "", "", "", err
		}
		steps = append(steps, []string{"-c", name, "-o", program + ".diamond.o"})
		link = append(link, "-DPEER", program+".diamond.o")
	}
	steps = append(steps, append(link, "-lm", "-o", program))
	for _, args := range steps {
		if err := compile(cc, args...); err != nil {
			return "", "", "", err
		}
	}
	id = fmt.Sprintf("%x", sha256.Sum256(fmt.Append(text, peer, k, version(cc), b.threads, machine())))[:16]
	return program, tilesOf(string(text)), id, nil
}

// tilesOf returns the tile sizes that the head of a translation names.
func tilesOf(text string) string {
	return regexp.MustCompile(`h=[0-9]+(,w[0-9]+=[0-9]+)+`).FindString(text)
}

// run runs a program and returns the least seconds of each side, and of diamond tiles those of the best sizes.
func (b builder) run(program string, k kernel) (r row, err error) {
	args := []string{strconv.FormatInt(k.n, 10), strconv.FormatInt(k.T, 10), strconv.FormatInt(k.planes*k.points(), 10), strconv.Itoa(b.runs)}
	out, err := b.threaded(program, append(args, k.diamonds...)...)
	if err != nil {
		return r, err
	}
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) != 2+len(k.diamonds) {
			return r, fmt.Errorf("unexpected output %q", line)
		}
		for i, field := range fields {
			seconds, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return r, fmt.Errorf("unexpected output %q", line)
			}
			switch {
			case i == 0:
				least(&r.Original, seconds)
			case i == 1:
				least(&r.Tiled, seconds)
			case least(&r.Diamond, seconds):
				r.Diamonds = k.diamonds[i-2]
			}
		}
	}
	return r, nil
}

// least puts x in place of what is more, or 0, and reports whether it did.
func least(to *float64, x float64) bool {
	if *to != 0 && x >= *to {
		return false
	}
	*to = x
	return true
}

// threaded is command with the threads asked for.
func (b builder) threaded(name string, args ...string) (string, error) {
	return command("env", append([]string{fmt.Sprint("OMP_NUM_THREADS=", b.threads), "OMP_PROC_BIND=true", name}, args...)...)
}

// bandwidth returns the bytes per second of a copy.
func (b builder) bandwidth() (float64, error) {
	program := filepath.Join(b.dir, "copy")
	if err := compile("gcc", filepath.Join(b.folder, "kernels", "copy.c"), "-o", program); err != nil {
		return 0, err
	}
	out, err := b.threaded(program)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(out), 64)
}

// version returns the first line that a compiler says of itself.
func version(cc string) string {
	out, err := command(cc, "--version")
	if err != nil {
		return "unknown"
	}
	line, _, _ := strings.Cut(out, "\n")
	return line
}

// machine names the processor, and its caches as far as the system knows them.
func machine() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	name := regexp.MustCompile(`(?m)^model name\s*: (.*)$`).FindSubmatch(text)
	if name == nil {
		return "unknown processor"
	}
	about := string(name[1])
	for _, cache := range []string{"2", "3"} {
		if size, err := os.ReadFile("/sys/devices/system/cpu/cpu0/cache/index" + cache + "/size"); err == nil {
			about += ", L" + cache + " " + strings.TrimSpace(string(size))
		}
	}
	return about
}
