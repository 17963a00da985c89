package machine

import (
	"fmt"
	"strings"
)

// DeviceTable prints Devices, their parts and the sources, as hexcc help arch shows them.
func DeviceTable() string {
	var b strings.Builder
	b.WriteString("Limits by architecture\n\n")
	b.WriteString("            shared memory, KiB     threads        at once on a multiprocessor   registers\n")
	b.WriteString("          a block   SM  reserved  a block     threads  warps  blocks       SM  block  thread\n")
	for _, d := range Devices() {
		fmt.Fprintf(&b, "  %-7s %7d %4d %9d %8d %11d %6d %7d %8d %6d %7d\n", d.Name, d.SharedBytes/kib, d.SharedPerSM/kib, d.SharedReserved/kib,
			d.ThreadsPerBlock, d.ThreadsPerSM, d.WarpsPerSM(), d.BlocksPerSM, d.Registers, d.RegistersPerBlock, d.RegistersPerThread)
	}
	b.WriteString(`
Registers of 32 bits are given to warps in multiples of 256, shared memory to
blocks in multiples of 128 bytes (256 before sm_80). A warp is 32 threads.

A typical part of each, for the tile model: FP32 and FP64 are results a clock
and multiprocessor (- where we found no statement), shared is bytes a clock and
multiprocessor, GB/s are 1e9 bytes a second of global memory.

                                   SMs   MHz   GB/s  shared  FP32  FP64
`)
	for _, d := range Devices() {
		fp64 := "-"
		if d.FP64 > 0 {
			fp64 = fmt.Sprint(d.FP64)
		}
		fmt.Fprintf(&b, "  %-7s %-23s %5d %5d %6d %7d %5d %5s\n", d.Name, d.Part, d.SMs, d.MHz, d.GBs, d.SharedPerClock, d.FP32, fp64)
	}
	b.WriteString("\nSources\n\n")
	for _, s := range DeviceSources {
		wrap(&b, "  ", "      ", s)
	}
	for _, d := range Devices() {
		wrap(&b, "  ", "          ", fmt.Sprintf("%-7s %s", d.Name, d.From))
	}
	return b.String()
}

// wrap writes the words of text in lines of at most 80 characters.
func wrap(b *strings.Builder, first, next, text string) {
	line := first + strings.SplitN(text, " ", 2)[0]
	for _, word := range strings.Split(text, " ")[1:] {
		if len(line)+1+len(word) > 80 {
			fmt.Fprintln(b, line)
			line = next[:len(next)-1]
		}
		line += " " + word
	}
	fmt.Fprintln(b, line)
}
