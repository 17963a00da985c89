package profile

import (
	"regexp"
	"slices"
	"strings"
)

// This file knows the metrics of Nsight Compute: which of them tell a quantity, by the names of --page raw and --metrics, and by those of
// --page details, and how those of several launches make one.

// A Quantity is what metrics tell of a kernel.
type Quantity string

// The quantities. Shares are of what the device can do at most, from 0 to 1.
const (
	Time            Quantity = "seconds"
	DRAMRead        Quantity = "dramReadBytes"
	DRAMWritten     Quantity = "dramWrittenBytes"
	DRAMRate        Quantity = "dramBytesPerSecond"
	DRAMShare       Quantity = "dramShare"
	L2Bytes         Quantity = "l2Bytes"
	L2Share         Quantity = "l2Share"
	L1Bytes         Quantity = "l1Bytes"
	L1Share         Quantity = "l1Share"
	SharedPasses    Quantity = "sharedWavefronts" // over the banks of shared memory
	SharedShare     Quantity = "sharedShare"
	Conflicts       Quantity = "bankConflicts" // passes beyond the least
	Instructions    Quantity = "instructions"  // of warps
	IssueShare      Quantity = "issueShare"    // of clocks in which a scheduler issues one
	ComputeShare    Quantity = "computeShare"  // of the busiest part of multiprocessors
	MemoryShare     Quantity = "memoryShare"   // of the busiest part of memories
	Occupied        Quantity = "achievedOccupancy"
	Occupiable      Quantity = "theoreticalOccupancy"
	Registers       Quantity = "registersPerThread"
	LimitRegisters  Quantity = "blockLimitRegisters" // blocks of a multiprocessor, by what it has of registers,
	LimitShared     Quantity = "blockLimitSharedMemory"
	LimitWarps      Quantity = "blockLimitWarps"
	LimitBlocks     Quantity = "blockLimitBlocks"
	LocalLoads      Quantity = "localLoads" // instructions of warps, of local memory
	LocalStores     Quantity = "localStores"
	Waves           Quantity = "wavesPerMultiprocessor"
	Cycles          Quantity = "elapsedCycles"
	ActiveCycles    Quantity = "activeCycles" // of a multiprocessor, on average
	Multiprocessors Quantity = "multiprocessors"
)

// How the values of launches make one.
type combination int

const (
	sum  combination = iota
	mean             // weighted by time
	most             // the largest
)

// A metric tells a quantity.
type metric struct {
	quantity Quantity
	combine  combination
	unit     string   // that it must have; "": any
	scale    float64  // 0: 1
	names    []string // the first that a launch has counts; those that end with % are the starts of shares, see shareEnds
}

const percent = "%"

// metricTable has each quantity, and several times where units differ.
var metricTable = []metric{
	{Time, sum, "second", 0, []string{"gpu__time_duration.sum", "gpu__time_duration.avg", "gpu__time_active.sum", "Duration"}},
	{DRAMRead, sum, "byte", 0, []string{"dram__bytes_read.sum"}},
	{DRAMRead, sum, "", 32, []string{"dram__sectors_read.sum"}},
	{DRAMWritten, sum, "byte", 0, []string{"dram__bytes_write.sum"}},
	{DRAMWritten, sum, "", 32, []string{"dram__sectors_write.sum"}},
	{DRAMRate, mean, "byte/second", 0, []string{"dram__bytes.sum.per_second", "Memory Throughput"}},
	{DRAMShare, mean, percent, 0.01, []string{"gpu__dram_throughput%", "dram__throughput%", "DRAM Throughput"}},
	{L2Bytes, sum, "byte", 0, []string{"lts__t_bytes.sum"}},
	{L2Bytes, sum, "", 32, []string{"lts__t_sectors.sum"}},
	{L2Share, mean, percent, 0.01, []string{"lts__throughput%", "lts__t_bytes%", "lts__t_sectors%", "L2 Cache Throughput"}},
	{L1Bytes, sum, "byte", 0, []string{"l1tex__t_bytes.sum"}},
	{L1Share, mean, percent, 0.01, []string{"l1tex__throughput%", "L1/TEX Cache Throughput"}},
	{SharedPasses, sum, "", 0, []string{"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"}},
	{SharedShare, mean, percent, 0.01, []string{"l1tex__data_pipe_lsu_wavefronts_mem_shared%"}},
	{Conflicts, sum, "", 0, []string{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"}},
	{Instructions, sum, "", 0, []string{"smsp__inst_executed.sum", "sm__inst_executed.sum", "Executed Instructions"}},
	{IssueShare, mean, percent, 0.01, []string{"smsp__issue_active%", "sm__inst_issued%", "sm__issue_active%", "Issue Slots Busy", "One or More Eligible"}},
	{IssueShare, mean, "", 1, []string{"smsp__issue_active.avg.per_cycle_active"}},
	{ComputeShare, mean, percent, 0.01, []string{"sm__throughput%", "Compute (SM) Throughput"}},
	{MemoryShare, mean, percent, 0.01, []string{"gpu__compute_memory_throughput%", "Memory Throughput"}},
	{Occupied, mean, percent, 0.01, []string{"sm__warps_active%", "Achieved Occupancy"}},
	{Occupiable, most, percent, 0.01, []string{"sm__maximum_warps_per_active_cycle_pct", "Theoretical Occupancy"}},
	{Registers, most, "", 0, []string{"launch__registers_per_thread", "Registers Per Thread"}},
	{LimitRegisters, most, "", 0, []string{"launch__occupancy_limit_registers", "Block Limit Registers"}},
	{LimitShared, most, "", 0, []string{"launch__occupancy_limit_shared_mem", "Block Limit Shared Mem"}},
	{LimitWarps, most, "", 0, []string{"launch__occupancy_limit_warps", "Block Limit Warps"}},
	{LimitBlocks, most, "", 0, []string{"launch__occupancy_limit_blocks", "Block Limit SM"}},
	{LocalLoads, sum, "", 0, []string{"smsp__inst_executed_op_local_ld.sum", "smsp__sass_inst_executed_op_local_ld.sum", "sass__inst_executed_local_loads"}},
	{LocalStores, sum, "", 0, []string{"smsp__inst_executed_op_local_st.sum", "smsp__sass_inst_executed_op_local_st.sum", "sass__inst_executed_local_stores"}},
	{Waves, mean, "", 0, []string{"launch__waves_per_multiprocessor", "Waves Per SM"}},
	{Cycles, sum, "", 0, []string{"gpc__cycles_elapsed.max", "sm__cycles_elapsed.max", "Elapsed Cycles"}},
	{ActiveCycles, sum, "", 0, []string{"sm__cycles_active.avg", "SM Active Cycles"}},
	{Multiprocessors, most, "", 0, []string{"device__attribute_multiprocessor_count", "launch__sm_count", "# SMs"}},
}

// shareEnds are the ends of names of shares, the best first: of the time that the launch takes, else of that in which the unit has work.
var shareEnds = []string{
	".avg.pct_of_peak_sustained_elapsed", ".sum.pct_of_peak_sustained_elapsed", ".avg.pct_of_peak_sustained_active", ".sum.pct_of_peak_sustained_active", ".pct",
}

// value returns the quantity that m tells of a launch, and the name of the metric.
func (m metric) value(l *Launch) (n float64, name string, ok bool) {
	for _, name := range m.names {
		all := []string{name}
		if base, share := strings.CutSuffix(name, percent); share {
			all = all[:0]
			for _, end := range shareEnds {
				all = append(all, base+end)
			}
		}
		for _, name := range all {
			v, ok := l.Metrics[name]
			if ok && m.unit != "" && v.Unit != m.unit {
				v, ok = l.Metrics[name+" "+m.unit]
			}
			if ok {
				if m.scale != 0 {
					v.Number *= m.scale
				}
				return v.Number, name, true
			}
		}
	}
	return 0, "", false
}

// stallForms are the metrics of what warps wait for, the best first; those of two forms cannot be compared. The last are samples.
var stallForms = []*regexp.Regexp{
	regexp.MustCompile(`^smsp__average_warps?_issue_stalled_(\w+?)_per_issue_active\.(ratio|pct)$`),
	regexp.MustCompile(`^smsp__average_warps?_latency_issue_stalled_(\w+?)(_per_issue_active)?\.(ratio|pct)$`),
	regexp.MustCompile(`^smsp__warps?_issue_stalled_(\w+?)_per_warp_active\.pct$`),
	regexp.MustCompile(`^smsp__pcsamp_warps_issue_stalled_(\w+?)(\.sum)?$`),
}

// stallsOf returns what the warps of a launch wait for, as shares of their time, by the reasons that ncu has; nil: the launch lacks it.
func stallsOf(l *Launch) map[string]float64 {
	for _, form := range stallForms {
		found, all := map[string]float64{}, 0.0
		for name, v := range l.Metrics {
			m := form.FindStringSubmatch(name)
			if m == nil || strings.HasSuffix(m[1], "_not_issued") {
				continue
			}
			found[m[1]] = v.Number
			all += v.Number
		}
		if all > 0 {
			for reason := range found {
				found[reason] /= all
			}
			return found
		}
	}
	return nil
}

// pipes are the units of a multiprocessor by the names that ncu has for them. Those that are left out have no work of a stencil's statements, or pass it on to others.
var pipes = []struct {
	name  Resource
	names []string
}{
	{FP32, []string{"fma", "fmaheavy", "fmalite", "fp32"}},
	{FP64, []string{"fp64"}},
	{Integer, []string{"alu"}},
	{Special, []string{"xu"}},
}

var pipeForm = regexp.MustCompile(`^sm__(?:inst_executed_pipe_(\w+)|pipe_(\w+?)_cycles_active)(?:_realtime)?\.(?:avg|sum)\.pct_of_peak_sustained_(?:active|elapsed)$`)

// pipesOf returns the shares of the time in which units of a launch have work, the busiest of those that do the same.
func pipesOf(l *Launch) map[Resource]float64 {
	found := map[Resource]float64{}
	for name, v := range l.Metrics {
		m := pipeForm.FindStringSubmatch(name)
		if m == nil || v.Unit != percent {
			continue
		}
		for _, p := range pipes {
			if slices.Contains(p.names, m[1]+m[2]) {
				found[p.name] = max(found[p.name], v.Number/100)
			}
		}
	}
	return found
}
