package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/hexcc/hexcc/internal/gallery"
)

// side is the most pixels along a side of a picture on the page.
const side = 200

// writePages writes gallery.md, and a picture of what each program computes, into a folder.
func writePages(folder, dir string, programs []gallery.Program) error {
	pictures := filepath.Join(folder, "images", "gallery")
	if err := os.MkdirAll(pictures, 0o777); err != nil {
		return err
	}
	for _, p := range programs {
		fmt.Println(p.Name)
		program, drawn := filepath.Join(dir, p.Name), filepath.Join(dir, p.Name+".pgm")
		if err := build(p, p.Path, program, nil, "-O2"); err != nil {
			return err
		}
		args := []string{drawn}
		if !p.Fixed {
			args = append(p.Default(), drawn)
		}
		if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", p.Name, err, out)
		}
		text, err := os.ReadFile(drawn)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := draw(&b, text); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		if err := os.WriteFile(filepath.Join(pictures, p.Name+".png"), b.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, "gallery.md"), []byte(gallery.Page(programs)), 0o666)
}

// draw writes a grey picture (PGM, P5, 8 bits) as PNG, in colours, about side pixels large at most.
func draw(b *bytes.Buffer, pgm []byte) error {
	var w, h, most int
	var magic string
	r := bytes.NewReader(pgm)
	if _, err := fmt.Fscan(r, &magic, &w, &h, &most); err != nil || magic != "P5" || most != 255 {
		return fmt.Errorf("no PGM of 8 bits: %.20q", pgm)
	}
	data := pgm[len(pgm)-r.Len()+1:] // one blank stands before it
	if w < 1 || h < 1 || len(data) != w*h {
		return fmt.Errorf("%d pixels, not %d x %d", len(data), w, h)
	}
	step, zoom := max(1, (max(w, h)+side-1)/side), max(1, side/max(w, h)) // one of them is 1
	to := image.NewPaletted(image.Rect(0, 0, (w+step-1)/step*zoom, (h+step-1)/step*zoom), colours())
	for y := range to.Rect.Dy() {
		for x := range to.Rect.Dx() {
			to.SetColorIndex(x, y, mean(data, w, h, x/zoom*step, y/zoom*step, step)/4)
		}
	}
	return (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(b, to)
}

// mean returns the mean of the pixels of a square, as far as it lies in the picture.
func mean(data []byte, w, h, x0, y0, step int) byte {
	sum, n := 0, 0
	for y := y0; y < min(h, y0+step); y++ {
		for x := x0; x < min(w, x0+step); x++ {
			sum, n = sum+int(data[y*w+x]), n+1
		}
	}
	return byte(sum / n)
}

// colours returns 64 of them, from dark to light.
func colours() (all color.Palette) {
	stops := [][3]float64{{13, 8, 50}, {70, 20, 110}, {160, 40, 100}, {225, 90, 55}, {250, 170, 40}, {250, 250, 190}}
	for i := range 64 {
		at := float64(i) / 63 * float64(len(stops)-1)
		k := min(int(at), len(stops)-2)
		var c [3]uint8
		for j := range c {
			c[j] = uint8(stops[k][j] + (at-float64(k))*(stops[k+1][j]-stops[k][j]))
		}
		all = append(all, color.RGBA{c[0], c[1], c[2], 255})
	}
	return all
}
