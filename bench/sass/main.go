// Command sass replays full tiles of kernels on a model of one multiprocessor, instruction by instruction as ptxas scheduled them,
// beside what the model of hexcc expects: for the tile sizes that it chooses, and for others near them. No GPU is needed, nvcc and
// nvdisasm are.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/internal/programs"
	"github.com/hexcc/hexcc/internal/sass"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
)

func main() {
	cases := flag.String("cases", "testdata/*.txtar", "the cases")
	only := flag.String("only", "^(jacobi-2d|box-2d|fdtd-2d|laplacian-3d|heat-3d)$", "a regular expression: cases to replay")
	arch := flag.String("arch", "sm_90", "the architecture")
	count := flag.Int("near", 12, "sizes near the chosen ones to replay")
	tile := flag.String("tile", "", "further sizes to replay, as --tile has them, several with / between them")
	cache := flag.String("cache", "out/sass-replay", "a folder in which what the compiler made is kept, by the text of kernels; empty: none")
	parts := flag.Bool("parts", false, "say how many clocks of a warp each part of a tile takes")
	kernel := flag.String("kernel", "tiles", "tiles; streaming: the full turns of pipelines of warps; or choice: what --strategy=auto takes, and all other ways")
	var st streaming
	flag.StringVar(&st.shapes, "pipeline", "", "with -kernel=streaming, further shapes to replay, as --pipeline has them, several with / between them")
	flag.BoolVar(&st.double, "double", false, "float is double")
	var how rounded
	flag.BoolVar(&how.fma, "fma", false, "products are fused with the sums that they feed, as with --fma")
	flag.StringVar(&how.reassociate, "reassociate", "", "sums are regrouped along this loop, or along any with auto, as with --reassociate")
	flag.StringVar(&st.grid, "grid", "", "typical sizes, as --grid has them")
	flag.Float64Var(&st.guarded, "guarded", 0, "with -kernel=streaming, what a turn with a border in it takes, where full ones take 1; 0: what its replay says")
	scales := flag.String("points", "1", "with -kernel=choice, how many points grids have, where that which is assumed has 1: several with commas between them, as 0.1,1")
	which := flag.String("ways", ".", "with -kernel=choice, a regular expression: ways to replay beside that which --strategy=auto takes, of hybrid, streaming, overlapped, space and untiled")
	along := flag.String("stream", "", "with -kernel=choice, the dimension along which boxes that overlap stream, as --stream has it; empty: what the model chooses")
	lines := flag.String("json", "", "with -kernel=choice, a file to which a line of JSON is added for each way, for bench/gpu -replays")
	peers := flag.String("peers", "", "a file that describes kernels of others, to replay in place of cases")
	sources := flag.String("sources", ".", "with -peers, the folder that they lie in")
	flags := flag.String("nvcc", "", "with -peers, flags for nvcc")
	flag.Parse()
	st.on = *kernel == "streaming"
	if *peers != "" {
		if err := benchPeers(*peers, *sources, *arch, *flags, *cache); err != nil {
			fmt.Fprintln(os.Stderr, "bench-sass:", err)
			os.Exit(1)
		}
		return
	}
	if *kernel == "choice" {
		if err := benchChoice(*cases, *only, *arch, *cache, *scales, *which, *along, st.grid, *lines, how); err != nil {
			fmt.Fprintln(os.Stderr, "bench-sass:", err)
			os.Exit(1)
		}
		return
	}
	if err := bench(*cases, *only, *arch, *count, *tile, *cache, *parts, how, st); err != nil {
		fmt.Fprintln(os.Stderr, "bench-sass:", err)
		os.Exit(1)
	}
}

// deviceOf returns the device of an architecture, and what compiles for it.
func deviceOf(arch, cache string) (d machine.Device, c sass.Compiler, err error) {
	d, ok := machine.LookupDevice(arch)
	if !ok {
		return d, c, fmt.Errorf("no device %s", arch)
	}
	c, err = sass.NewCompiler(arch, cache)
	return d, c, err
}

func benchPeers(path, sources, arch, flags, cache string) error {
	d, compiler, err := deviceOf(arch, cache)
	if err != nil {
		return err
	}
	return replayPeers(path, sources, arch, strings.Fields(flags), compiler, d)
}

const legend = `Full tiles, replayed as ptxas scheduled them on one multiprocessor with the blocks that it holds or the grid has, beside the model's
expectation; then both for the whole run, by the same count of launches, waves and tiles that borders cut. Not measured.
clocks: for one tile of each block that runs on a multiprocessor. GSt/s: 10^9 updates a second. order: phases, launched in turn; ready, a tile starts when
those that it needs have ended. The first line of a case is what hexcc chooses, the second the best of the other order, by the model.
`

func bench(glob, only, arch string, near int, given, cache string, parts bool, how rounded, st streaming) error {
	d, ok := machine.LookupDevice(arch)
	if !ok {
		return fmt.Errorf("no device %s", arch)
	}
	re, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	typical, err := model.ParseTypical(st.grid)
	if err != nil {
		return err
	}
	compiler, err := sass.NewCompiler(arch, cache)
	if err != nil {
		return err
	}
	paths, err := filepath.Glob(glob)
	if err != nil {
		return err
	}
	fmt.Print(legend)
	fmt.Printf("%s, %s: %d multiprocessors, %d MHz, %d GB/s\n", arch, d.Part, d.SMs, d.MHz, d.GBs)
	ran := 0
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if !re.MatchString(name) {
			continue
		}
		ran++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		k := kernelCase{name: name, text: programs.Text(path, text), arch: arch, device: d, compiler: compiler, parts: parts, rounded: how, typical: typical}
		if st.double {
			k.text = programs.InDouble(k.text)
		}
		run := func() error { return k.run(near, given) }
		if st.on {
			run = func() error { return st.run(k) }
		}
		if err := run(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if ran == 0 {
		return fmt.Errorf("no case matches %s", only)
	}
	return nil
}

// benchChoice prints a table of the choices for cases, which several patterns name with commas between them, and devices, named likewise.
func benchChoice(globs, only, archs, cache, scales, which, along, grid, lines string, how rounded) error {
	re, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	typical, err := model.ParseTypical(grid)
	if err != nil {
		return err
	}
	ways, err := regexp.Compile(which)
	if err != nil {
		return err
	}
	var points []float64
	for s := range strings.SplitSeq(scales, ",") {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil || x <= 0 {
			return fmt.Errorf("-points=%s: %q is no number above 0", scales, s)
		}
		points = append(points, x)
	}
	var paths []string
	for glob := range strings.SplitSeq(globs, ",") {
		more, err := filepath.Glob(glob)
		if err != nil {
			return err
		}
		paths = append(paths, more...)
	}
	fmt.Print(choiceLegend, choiceHead())
	for arch := range strings.SplitSeq(archs, ",") {
		d, compiler, err := deviceOf(arch, cache)
		if err != nil {
			return err
		}
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
			if !re.MatchString(name) {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			k := kernelCase{name: name, text: programs.Text(path, text), arch: arch, device: d, compiler: compiler, rounded: how, ways: ways, along: along, typical: typical, lines: lines}
			if err := k.chooses(points); err != nil { // the others go on
				fmt.Fprintf(os.Stderr, "%s, %s: %v\n", name, arch, strings.SplitN(err.Error(), "\n", 2)[0])
			}
		}
	}
	return nil
}
