// Package machine says what the processors have that code is generated for: GPUs by
// architecture, with the sources of each number, how many blocks a multiprocessor holds, how
// shared memory serves a warp; and the caches that are assumed of a CPU.
package machine

import "slices"

// A Device states the limits to generate code for, and what a typical part can
// do. Nothing asks the machine.
type Device struct {
	Name string // sm_80

	// The limits of the architecture.
	SharedBytes        int // per block, at most; a kernel must ask for what passes 48 KiB
	SharedPerSM        int
	SharedReserved     int // what the driver takes for itself with each block
	SharedUnit         int // shared memory is given to blocks in multiples of it
	Registers          int // per multiprocessor, of 32 bits
	RegistersPerBlock  int
	RegistersPerThread int
	RegisterUnit       int // registers are given to warps in multiples of it
	ThreadsPerBlock    int
	ThreadsPerSM       int
	BlocksPerSM        int
	Warp               int
	Partitions         int // of a multiprocessor: each has a scheduler, and its part of the registers

	// The rates of the architecture, per multiprocessor and clock.
	SharedPerClock int // bytes between shared memory and registers
	FP32           int // results of a 32-bit add, multiply or multiply-add
	FP64           int // of 64 bits; 0: we found no statement

	// AsyncCopies says that threads copy from global to shared memory without waiting (cp.async).
	AsyncCopies bool

	// A typical part. Other parts of the architecture differ in these only.
	Part string // A100 SXM4 40 GB
	SMs  int    // multiprocessors
	MHz  int    // clock under boost
	GBs  int    // bytes between global memory and chip, in 1e9 a second
	From string // where these three are stated
}

// LeastThreads is the least limit on the threads of a block that kernels are made for: two warps.
const LeastThreads = 64

// Within returns d for blocks of so many bytes of shared memory and
// threads at most, LeastThreads or more; 0 leaves the limit of d.
func (d Device) Within(sharedBytes, threads int) Device {
	if sharedBytes > 0 {
		d.SharedBytes = min(d.SharedBytes, sharedBytes)
	}
	if threads > 0 {
		d.ThreadsPerBlock = min(d.ThreadsPerBlock, threads)
	}
	return d
}

// WarpsPerSM returns the most warps that a multiprocessor holds.
func (d Device) WarpsPerSM() int { return d.ThreadsPerSM / d.Warp }

// Hertz returns the clocks of a second.
func (d Device) Hertz() float64 { return float64(d.MHz) * 1e6 }

// DeviceSources says where the values of Devices come from. The part of each names its own.
var DeviceSources = []string{
	"[1] NVIDIA, CUDA C++ Programming Guide 12.9, table \"Technical Specifications per Compute Capability\", and 13.0, table 27 of the same name: " +
		"threads, warps, blocks, registers and shared memory",
	"[2] NVIDIA, CCCL, header cuda/__device/arch_traits.h: the same, for 6.2, 10.3 and 12.1 too, and shared memory reserved for each block",
	"[3] NVIDIA, CUDA 13.0, header cuda_occupancy.h: units in which registers and shared memory are given out, partitions of a multiprocessor",
	"[4] NVIDIA, CUDA C++ Programming Guide 12.9, sections \"Compute Capability 5.x\" to \"12.x\", Shared Memory: 32 banks of 32 bits a clock; " +
		"table \"Throughput of Native Arithmetic Instructions\": FP32 and FP64",
}

const kib = 1 << 10

// devices are the architectures that we generate code for, oldest first. What
// is not said here all have in common, or follows from the age: see finish.
var devices = []Device{
	{Name: "sm_60", SharedBytes: 48 * kib, SharedPerSM: 64 * kib, ThreadsPerSM: 2048, BlocksPerSM: 32, FP32: 64, FP64: 32, // [1]
		Part: "Tesla P100 SXM2", SMs: 56, MHz: 1480, GBs: 732, From: "Tesla P100 data sheet; Pascal architecture white paper, table 1"},
	{Name: "sm_61", SharedBytes: 48 * kib, SharedPerSM: 96 * kib, ThreadsPerSM: 2048, BlocksPerSM: 32, FP32: 128, FP64: 4, // [1]
		Part: "GeForce GTX 1080 Ti", SMs: 28, MHz: 1582, GBs: 484, From: "GeForce GTX 1080 Ti specifications: 3584 cores"},
	{Name: "sm_62", SharedBytes: 48 * kib, SharedPerSM: 64 * kib, ThreadsPerSM: 2048, BlocksPerSM: 32, FP32: 128, FP64: 4, // [1]; [2] for
		RegistersPerBlock: 32 * kib,
		Part:              "Jetson TX2", SMs: 2, MHz: 1300, GBs: 59, From: "Jetson TX2 module data sheet: 256 cores"},
	{Name: "sm_70", SharedBytes: 96 * kib, SharedPerSM: 96 * kib, ThreadsPerSM: 2048, BlocksPerSM: 32, FP32: 64, FP64: 32, // [1]
		Part: "Tesla V100 SXM2", SMs: 80, MHz: 1530, GBs: 900, From: "Volta architecture white paper, table 1"},
	{Name: "sm_72", SharedBytes: 96 * kib, SharedPerSM: 96 * kib, ThreadsPerSM: 2048, BlocksPerSM: 32, FP32: 64, FP64: 32, // [1]
		Part: "Jetson AGX Xavier", SMs: 8, MHz: 1377, GBs: 136, From: "Jetson AGX Xavier module data sheet: 512 cores"},
	{Name: "sm_75", SharedBytes: 64 * kib, SharedPerSM: 64 * kib, ThreadsPerSM: 1024, BlocksPerSM: 16, FP32: 64, FP64: 2, // [1]
		Part: "T4", SMs: 40, MHz: 1590, GBs: 320, From: "Turing architecture white paper, appendix on Tesla T4"},
	{Name: "sm_80", SharedBytes: 163 * kib, SharedPerSM: 164 * kib, ThreadsPerSM: 2048, BlocksPerSM: 32, FP32: 64, FP64: 32, // [1]
		Part: "A100 SXM4 40 GB", SMs: 108, MHz: 1410, GBs: 1555, From: "A100 architecture white paper, table 4"},
	{Name: "sm_86", SharedBytes: 99 * kib, SharedPerSM: 100 * kib, ThreadsPerSM: 1536, BlocksPerSM: 16, FP32: 128, FP64: 2, // [1]
		Part: "A40", SMs: 84, MHz: 1740, GBs: 696, From: "A40 data sheet; GA102 architecture white paper"},
	{Name: "sm_87", SharedBytes: 163 * kib, SharedPerSM: 164 * kib, ThreadsPerSM: 1536, BlocksPerSM: 16, FP32: 128, // [1]
		Part: "Jetson AGX Orin 64 GB", SMs: 16, MHz: 1300, GBs: 204, From: "Jetson AGX Orin series data sheet: 2048 cores"},
	{Name: "sm_89", SharedBytes: 99 * kib, SharedPerSM: 100 * kib, ThreadsPerSM: 1536, BlocksPerSM: 24, FP32: 128, FP64: 2, // [1]
		Part: "L40", SMs: 142, MHz: 2490, GBs: 864, From: "L40 data sheet; Ada architecture white paper"},
	{Name: "sm_90", SharedBytes: 227 * kib, SharedPerSM: 228 * kib, ThreadsPerSM: 2048, BlocksPerSM: 32, FP32: 128, FP64: 64, // [1]
		Part: "H100 SXM5", SMs: 132, MHz: 1980, GBs: 3350, From: "H100 data sheet; the clock is that of its 67e12 FP32 operations a second"},
	{Name: "sm_100", SharedBytes: 227 * kib, SharedPerSM: 228 * kib, ThreadsPerSM: 2048, BlocksPerSM: 32, FP32: 128, FP64: 64, // [1]
		Part: "B200", SMs: 148, MHz: 1980, GBs: 8000, From: "HGX B200 data sheet; the clock is that of its 75e12 FP32 operations a second"},
	{Name: "sm_103", SharedBytes: 227 * kib, SharedPerSM: 228 * kib, ThreadsPerSM: 2048, BlocksPerSM: 32, FP32: 128, FP64: 2, // [2]
		Part: "B300", SMs: 160, MHz: 1830, GBs: 8000, From: "NVIDIA, Inside Blackwell Ultra; the clock is that of the 75e12 FP32 operations a second of the HGX B300 data sheet"},
	{Name: "sm_110", SharedBytes: 227 * kib, SharedPerSM: 228 * kib, ThreadsPerSM: 1536, BlocksPerSM: 24, FP32: 128, // [1]
		Part: "Jetson AGX Thor T5000", SMs: 20, MHz: 1570, GBs: 273, From: "Jetson Thor series data sheet: 2560 cores"},
	{Name: "sm_120", SharedBytes: 99 * kib, SharedPerSM: 100 * kib, ThreadsPerSM: 1536, BlocksPerSM: 24, FP32: 128, FP64: 2, // [1]
		Part: "RTX PRO 6000 Blackwell", SMs: 188, MHz: 2617, GBs: 1792, From: "RTX PRO 6000 Blackwell data sheet; RTX Blackwell PRO architecture white paper"},
}

// finish fills in what devices leaves out.
func (d Device) finish() Device {
	d.ThreadsPerBlock, d.Warp, d.RegistersPerThread, d.Registers = 1024, 32, 255, 64*kib // [1]
	if d.RegistersPerBlock == 0 {
		d.RegistersPerBlock = d.Registers // [1]
	}
	d.RegisterUnit, d.SharedUnit, d.Partitions = 256, 128, 4 // [3]
	d.SharedReserved = kib                                   // [2]
	d.SharedPerClock = 128                                   // [4]
	d.AsyncCopies = d.age() >= 80                            // [1], "Technical Specifications per Compute Capability": hardware-accelerated asynchronous copies
	if d.age() < 80 {
		d.SharedUnit, d.SharedReserved = 256, 0 // [3], [2]
	}
	if d.Name == "sm_60" {
		d.Partitions = 2 // [3]
	}
	return d
}

// Acquires reports whether threads of different blocks can tell each other what they have written: whether there are loads that acquire,
// and stores that release.
func (d Device) Acquires() bool { return d.age() >= 70 }

// age returns 80 for sm_80.
func (d Device) age() int {
	n := 0
	for _, c := range d.Name[len("sm_"):] {
		n = 10*n + int(c-'0')
	}
	return n
}

// Devices returns what we know of each architecture, oldest first.
func Devices() []Device {
	all := make([]Device, len(devices))
	for i, d := range devices {
		all[i] = d.finish()
	}
	return all
}

// LookupDevice returns the device of that name, such as sm_80.
func LookupDevice(name string) (Device, bool) {
	i := slices.IndexFunc(devices, func(d Device) bool { return d.Name == name })
	if i < 0 {
		return Device{}, false
	}
	return devices[i].finish(), true
}
