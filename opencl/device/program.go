package device

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/opencl"
	"github.com/hexcc/hexcc/scop"
)

// A Program is the kernels of a region, built for a device.
type Program struct {
	*Device
	opencl.Built
	gpu *gpu.Program
	*code
	// kernels are those of each version.
	kernels [][]handle
}

// A code is what was built of a text, with the Programs that hold it.
type code struct {
	handle handle
	users  int
}

// Build builds the kernels of p with options besides our own. The error is a
// *diag.Diagnostic: HX508 if the device is too small, HX509 if it builds them not.
func (d *Device) Build(p opencl.Part, options string) (*Program, error) {
	all, err := d.BuildAll([]opencl.Part{p}, options)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// BuildAll does so with regions of one file, all with the same Base, whose kernels are one text: that takes
// as long as the text needs, and once what OpenCL C brings along.
func (d *Device) BuildAll(parts []opencl.Part, options string) (all []*Program, err error) {
	built := opencl.AllKernels(parts)
	for _, b := range built {
		for _, k := range kerneltext.All(b.Versions) {
			if err := d.fits(k, b.Doubles); err != nil {
				return nil, err
			}
		}
	}
	streams := slices.ContainsFunc(built, func(b opencl.Built) bool {
		return slices.ContainsFunc(kerneltext.All(b.Versions), func(k kerneltext.Kernel) bool { return k.Lanes > 0 })
	})
	made, err := d.compile(built[0].Text, options, streams)
	if err != nil {
		return nil, err
	}
	made.users = len(parts)
	for i, p := range parts {
		all = append(all, &Program{Device: d, Built: built[i], gpu: p.Program, code: made, kernels: make([][]handle, len(built[i].Versions))})
	}
	for _, b := range all {
		for i, v := range b.Versions {
			if err := b.create(i, v.Printed); err != nil {
				for _, b := range all {
					b.Close()
				}
				return nil, err
			}
		}
	}
	return all, nil
}

// compile builds a text; where rows stream, for a later OpenCL C, which has sub-groups.
func (d *Device) compile(source, options string, streams bool) (*code, error) {
	bytes := append([]byte(source), 0)
	var status int32
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&bytes[0])
	texts := []unsafe.Pointer{unsafe.Pointer(&bytes[0])}
	made := d.api.createProgramWithSource(d.context, 1, unsafe.Pointer(&texts[0]), nil, &status)
	if err := failed("clCreateProgramWithSource", status); err != nil {
		return nil, notBuilt(d, err.Error())
	}
	standard := "CL1.2"
	if version := d.api.info(d.id, deviceVersion); streams && !strings.HasPrefix(version, "OpenCL 1") {
		if standard = "CL3.0"; strings.HasPrefix(version, "OpenCL 2") {
			standard = "CL2.0"
		}
	}
	all := "-cl-std=" + standard + " " + options
	if d.api.number(d.id, singleConfig)&roundsDivisions != 0 {
		all += " -cl-fp32-correctly-rounded-divide-sqrt"
	}
	if err := failed("clBuildProgram", d.api.buildProgram(made, 1, &d.id, all, 0, 0)); err != nil {
		log := text(func(size uintptr, value unsafe.Pointer, got *uintptr) int32 {
			return d.api.getProgramBuildInfo(made, d.id, buildLog, size, value, got)
		})
		d.api.releaseProgram(made)
		return nil, notBuilt(d, err.Error()+"\n"+strings.TrimSpace(log))
	}
	return &code{handle: made}, nil
}

// create makes the kernels of a version.
func (b *Program) create(version int, kernels []kerneltext.Kernel) error {
	d := b.Device
	for _, k := range kernels {
		var status int32
		made := d.api.createKernel(b.handle, k.Name, &status)
		if err := failed("clCreateKernel", status); err != nil {
			return notBuilt(d, fmt.Sprintf("%s: %v", k.Name, err))
		}
		b.kernels[version] = append(b.kernels[version], made)
		var most uintptr
		d.api.getKernelWorkGroupInfo(made, d.id, kernelGroup, unsafe.Sizeof(most), unsafe.Pointer(&most), nil)
		if t := kerneltext.Threads(k.Kernel); int(most) < t[0]*t[1]*t[2] {
			return d.tooSmall(k, groupFlag, "work-items in a group", t[0]*t[1]*t[2], int(most))
		}
		if err := d.inSubGroups(made, k); err != nil {
			return err
		}
	}
	return nil
}

// inSubGroups returns an error if d does not run a kernel in sub-groups of the size that it needs.
func (d *Device) inSubGroups(made handle, k kerneltext.Kernel) error {
	if k.Lanes == 0 {
		return nil
	}
	address := d.api.extensionFunction(handle(d.api.number(d.id, devicePlatform)), "clGetKernelSubGroupInfoKHR")
	if address == 0 {
		return withoutSubGroups(fmt.Sprintf("%s does not say how large sub-groups are, and %s needs them with %d work-items", d.Name, k.Name, k.Lanes))
	}
	var info func(kernel, device handle, what uint32, given uintptr, group unsafe.Pointer, size uintptr, value unsafe.Pointer, got *uintptr) int32
	bindAt(&info, address)
	t := kerneltext.Threads(k.Kernel)
	group := [3]uintptr{uintptr(t[0]), uintptr(t[1]), uintptr(t[2])}
	var size, count uintptr
	for what, value := range map[uint32]*uintptr{subGroupSize: &size, subGroups: &count} {
		if err := failed("clGetKernelSubGroupInfoKHR", info(made, d.id, what, unsafe.Sizeof(group), unsafe.Pointer(&group), unsafe.Sizeof(size), unsafe.Pointer(value), nil)); err != nil {
			return notBuilt(d, err.Error())
		}
	}
	if int(size) != k.Lanes || int(count) != t[0]*t[1]*t[2]/k.Lanes {
		return withoutSubGroups(fmt.Sprintf("%s needs sub-groups of %d work-items, and %s has %d", k.Name, k.Lanes, d.Name, size))
	}
	return nil
}

// withoutSubGroups returns the error that a device has not those that rows stream through.
func withoutSubGroups(msg string) error {
	return &diag.Diagnostic{Code: "HX508", Msg: msg, Help: "--kernel=tiles makes kernels that need no sub-groups"}
}

func notBuilt(d *Device, why string) error {
	return &diag.Diagnostic{Code: "HX509", Msg: fmt.Sprintf("%s does not build the kernels: %s", d.Name, why)}
}

// tooSmall returns the error that d has not what a kernel needs; flag limits that for the choice of tiles.
func (d *Device) tooSmall(k kerneltext.Kernel, flag, what string, needed, has int) error {
	help := "choose another device"
	if flag != groupFlag || has >= machine.LeastThreads {
		help = fmt.Sprintf("choose sizes that fit it with --%s=%d, or others with --tile, or another device", flag, has)
	}
	if k.Lanes > 0 {
		help = "ask for a smaller pipeline with --pipeline, or for --kernel=tiles, or choose another device"
	}
	return &diag.Diagnostic{Code: "HX508", Msg: fmt.Sprintf("%s needs %d %s, and %s has %d", k.Name, needed, what, d.Name, has), Help: help}
}

// These are flags.
const groupFlag, memoryFlag = "work-group", "local-memory"

// fits compares what k needs with what the device has.
func (d *Device) fits(k kerneltext.Kernel, doubles bool) error {
	t := kerneltext.Threads(k.Kernel)
	if most := int(d.api.number(d.id, maxGroup)); t[0]*t[1]*t[2] > most {
		return d.tooSmall(k, groupFlag, "work-items in a group", t[0]*t[1]*t[2], most)
	}
	var each [16]uintptr
	d.api.getDeviceInfo(d.id, maxItems, unsafe.Sizeof(each), unsafe.Pointer(&each), nil)
	for axis, n := range t {
		if n > int(each[axis]) {
			return d.tooSmall(k, groupFlag, fmt.Sprintf("work-items along axis %d", axis), n, int(each[axis]))
		}
	}
	if has := int(d.api.number(d.id, localMemory)); k.Shared > has {
		return d.tooSmall(k, memoryFlag, "bytes of local memory", k.Shared, has)
	}
	if names := d.api.info(d.id, extensions); k.Lanes > 0 && !strings.Contains(names, "cl_khr_subgroup_shuffle") && !strings.Contains(names, "cl_intel_subgroups") {
		return withoutSubGroups(fmt.Sprintf("%s needs sub-groups that exchange values, and %s has none (cl_khr_subgroup_shuffle or cl_intel_subgroups)", k.Name, d.Name))
	}
	if doubles && d.api.number(d.id, doubleConfig) == 0 {
		return &diag.Diagnostic{Code: "HX508", Msg: fmt.Sprintf("%s needs doubles, and %s has none (cl_khr_fp64)", k.Name, d.Name),
			Help: "choose another device"}
	}
	return nil
}

// Close releases what the program holds.
func (b *Program) Close() {
	for _, k := range slices.Concat(b.kernels...) {
		b.api.releaseKernel(k)
	}
	if b.users--; b.users == 0 {
		b.api.releaseProgram(b.handle)
	}
}

// Run does to mem what the kernels of a version do: arrays that are copied to the device are,
// and those that are copied back.
func (b *Program) Run(version int, mem *scop.Memory) (err error) {
	buffers := map[*scop.Array]handle{}
	defer func() {
		for _, h := range buffers {
			if e := failed("clReleaseMemObject", b.api.releaseMemObject(h)); err == nil && h != 0 {
				err = e
			}
		}
	}()
	for _, s := range mem.Arrays {
		if buffers[s.Array], err = b.copyIn(s); err != nil {
			return err
		}
	}
	if err := b.launchAll(version, mem, buffers); err != nil {
		return err
	}
	if err := failed("clFinish", b.api.finish(b.queue)); err != nil {
		return err
	}
	for _, s := range mem.Arrays {
		if err := b.copyOut(s, buffers[s.Array]); err != nil {
			return err
		}
	}
	return nil
}

// copyIn returns a buffer with the elements of s, 0 if there are none.
func (b *Program) copyIn(s *scop.Storage) (handle, error) {
	if len(s.Cells) == 0 {
		return 0, nil
	}
	size := s.Array.Elem.Size()
	bytes := make([]byte, 0, len(s.Cells)*size)
	for _, c := range s.Cells {
		bytes = append(bytes, binary.LittleEndian.AppendUint64(nil, c)[:size]...)
	}
	var status int32
	h := b.api.createBuffer(b.context, readWrite, uintptr(len(bytes)), 0, &status)
	if err := failed("clCreateBuffer", status); err != nil {
		return 0, err
	}
	return h, failed("clEnqueueWriteBuffer", b.api.enqueueWriteBuffer(b.queue, h, 1, 0, uintptr(len(bytes)), unsafe.Pointer(&bytes[0]), 0, 0, 0))
}

// copyOut sets the elements of s to what is in the buffer, if they are copied back.
func (b *Program) copyOut(s *scop.Storage, h handle) error {
	if h == 0 || !b.gpu.Transfer(s.Array).Out {
		return nil
	}
	size := s.Array.Elem.Size()
	bytes := make([]byte, len(s.Cells)*size)
	err := failed("clEnqueueReadBuffer", b.api.enqueueReadBuffer(b.queue, h, 1, 0, uintptr(len(bytes)), unsafe.Pointer(&bytes[0]), 0, 0, 0))
	for i := range s.Cells {
		var cell [8]byte
		copy(cell[:], bytes[i*size:(i+1)*size])
		s.Cells[i] = binary.LittleEndian.Uint64(cell[:])
	}
	return err
}

// launchAll puts all launches of a version into the queue.
func (b *Program) launchAll(version int, mem *scop.Memory, buffers map[*scop.Array]handle) error {
	p := b.gpu
	env, values := map[string]int64{}, map[string]uint64{}
	for i, q := range p.Scop.Params {
		env[q.Name] = mem.Params[i]
		values[b.Spelled[q.Name]] = uint64(mem.Params[i])
	}
	for i, q := range p.Scop.Scalars {
		values[b.Spelled[q.Name]] = mem.Scalars[i]
	}
	if !p.Busy.Holds(env) {
		return nil
	}
	for t, last := affine.Eval(p.TLo, env), affine.Eval(p.THi, env); t <= last; t++ {
		env[p.T], values[b.TimeTile] = t, uint64(t)
		for i, k := range b.Versions[version].Printed {
			if err := b.launch(b.kernels[version][i], k, env, values, buffers); err != nil {
				return err
			}
		}
	}
	return nil
}

// launch puts one launch of kernel k, made, into the queue, if it has blocks.
func (b *Program) launch(made handle, k kerneltext.Kernel, env map[string]int64, values map[string]uint64, buffers map[*scop.Array]handle) error {
	blocks, first := k.Blocks(env)
	if slices.Contains(blocks[:], 0) || !k.Work.Holds(env) {
		return nil
	}
	for axis, name := range k.First {
		values[name] = uint64(first[axis])
	}
	for j, arg := range k.Args {
		value, size := values[arg.Name], uintptr(arg.Type.Size())
		if arg.Array != nil {
			value, size = uint64(buffers[arg.Array]), unsafe.Sizeof(handle(0))
		}
		if err := failed("clSetKernelArg", b.api.setKernelArg(made, uint32(j), size, unsafe.Pointer(&value))); err != nil {
			return fmt.Errorf("%s, argument %s: %w", k.Name, arg.Name, err)
		}
	}
	t := kerneltext.Threads(k.Kernel)
	var items, group [3]uintptr
	for axis, n := range t {
		group[axis] = uintptr(n)
		items[axis] = uintptr(blocks[axis]) * group[axis]
	}
	return failed("clEnqueueNDRangeKernel", b.api.enqueueNDRangeKernel(b.queue, made, 3, 0, &items[0], &group[0], 0, 0, 0))
}
