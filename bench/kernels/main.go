// Command kernels prints what full tiles of every case of testdata do under each
// use of shared memory, counted exactly and emulated on a small grid: one line for
// a strategy, by letter.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

func main() {
	cases := flag.String("cases", "testdata/*.txtar", "the cases")
	arch := flag.String("arch", hexcc.DefaultArch, "the architecture")
	tile := flag.String("tile", "", "tile sizes, as for hexcc --tile; chosen by the model for each case where it is empty")
	flag.Parse()
	if err := report(*cases, *arch, *tile); err != nil {
		fmt.Fprintln(os.Stderr, "kernels:", err)
		os.Exit(1)
	}
}

func report(glob, arch, tile string) error {
	paths, err := filepath.Glob(glob)
	if err != nil || len(paths) == 0 {
		return fmt.Errorf("no case matches %s", glob)
	}
	fmt.Println("What full tiles do; docs/kernels.md explains it. Counted, of a full tile that follows a full tile: by update (a statement")
	fmt.Println("instance), accesses to shared memory and bytes of global memory; by tile, updates, elements loaded (also by the first tile of")
	fmt.Println("a row of full tiles), moved and stored, barriers, bytes of shared memory.")
	fmt.Println("Emulated on a small grid, over all full tiles: sectors of 32 bytes by update, and those beyond the least possible;")
	fmt.Println("wavefronts lost to bank conflicts by request to shared memory; of steps, divergent branches by tile and idle lanes.")
	for _, path := range paths {
		if err := reportCase(path, arch, tile); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// reportCase prints the lines of one case.
func reportCase(path, arch, tile string) error {
	src, err := sourceOf(path)
	if err != nil {
		return err
	}
	o := hexcc.Options{Arch: arch, Stop: "tile"}
	if o.Tile, err = hexcc.ParseTile(tile); err != nil {
		return err
	}
	all, err := hexcc.Compile(src, o)
	if err != nil {
		return err
	}
	sizes := all.Sizes
	fmt.Printf("\n%s, %v, %s\n", strings.TrimSuffix(filepath.Base(path), ".txtar"), sizes, arch)
	fmt.Printf("  %-15s %8s %8s %8s %8s %8s %8s %8s %8s %8s%s\n", "", "shared", "bytes", "updates", "loads", "first", "moves", "stores", "barriers", "memory", emulatedHead)
	device, _ := gpu.LookupDevice(arch)
	for _, st := range gpu.Strategies() {
		with := gpu.Options{Strategy: st}
		counter := gpu.NewCounter(all.Space, device, with)
		tiles, err := schedule.HybridTiles(all.Space, all.Cone, sizes)
		if err != nil {
			return err
		}
		c := counter.Counts(tiles)[0]
		per := func(n int64) float64 { return float64(n) / float64(max(1, c.Points)) }
		did, err := emulated(src, hexcc.Options{Arch: arch, Tile: &sizes}, st)
		if err != nil {
			return err
		}
		fmt.Printf("  (%s) %-11s %8.2f %8.2f %8d %8d %8d %8d %8d %8d %8d%v\n", st.Letter(), st, per(c.Shared), per(c.Bytes),
			c.Points, c.Loads, c.First, c.Moves, c.Stores, c.Barriers, c.SharedBytes, did)
	}
	return nil
}

// sourceOf returns the program of a case.
func sourceOf(path string) (hexcc.Source, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return hexcc.Source{}, err
	}
	return hexcc.Source{Name: "input.c", Text: txtar.Parse(text).Files[0].Data}, nil
}
