package gpu

import "slices"

// devices are the architectures we generate code for. The limits are those of
// the table of technical specifications by compute capability in the CUDA C++
// programming guide: shared memory per block, which beyond 48 KiB a kernel must ask for, per multiprocessor, and
// registers; a block has at most 1024 threads and a warp 32 on all of them. The number of
// multiprocessors is that of the full data-center chip of the family as sold.
var devices = []Device{
	{Name: "sm_60", SharedBytes: 48 << 10, SharedPerSM: 64 << 10, SMs: 56},     // P100
	{Name: "sm_61", SharedBytes: 48 << 10, SharedPerSM: 96 << 10, SMs: 28},     // GTX 1080 Ti
	{Name: "sm_70", SharedBytes: 96 << 10, SharedPerSM: 96 << 10, SMs: 80},     // V100
	{Name: "sm_75", SharedBytes: 64 << 10, SharedPerSM: 64 << 10, SMs: 40},     // T4
	{Name: "sm_80", SharedBytes: 163 << 10, SharedPerSM: 164 << 10, SMs: 108},  // A100
	{Name: "sm_86", SharedBytes: 99 << 10, SharedPerSM: 100 << 10, SMs: 84},    // A40
	{Name: "sm_89", SharedBytes: 99 << 10, SharedPerSM: 100 << 10, SMs: 142},   // L40
	{Name: "sm_90", SharedBytes: 227 << 10, SharedPerSM: 228 << 10, SMs: 132},  // H100
	{Name: "sm_100", SharedBytes: 227 << 10, SharedPerSM: 228 << 10, SMs: 148}, // B200
	{Name: "sm_120", SharedBytes: 99 << 10, SharedPerSM: 100 << 10, SMs: 188},  // RTX PRO 6000
}

// Devices returns what we know of each architecture, oldest first.
func Devices() []Device {
	all := make([]Device, len(devices))
	for i, d := range devices {
		all[i] = d.common()
	}
	return all
}

// LookupDevice returns the device of that name, such as sm_80.
func LookupDevice(name string) (Device, bool) {
	i := slices.IndexFunc(devices, func(d Device) bool { return d.Name == name })
	if i < 0 {
		return Device{}, false
	}
	return devices[i].common(), true
}

// common fills in what all devices share.
func (d Device) common() Device {
	d.ThreadsPerBlock, d.Warp, d.Registers = 1024, 32, 64<<10
	return d
}
