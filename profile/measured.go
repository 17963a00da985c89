package profile

// This file makes one of the launches of a kernel.

// A Measured is what a file tells of the launches of a kernel.
type Measured struct {
	Kernel   string               `json:"kernel"`
	Launches int                  `json:"launches"`
	Threads  int64                `json:"threads"` // of a block; 0: not said
	Blocks   float64              `json:"blocks"`  // of a launch, on average; 0: not said
	CC       string               `json:"computeCapability"`
	Values   map[Quantity]float64 `json:"values"` // sums, and of shares and the like means by time
	Stalls   map[string]float64   `json:"stalls"` // what warps wait for, as shares of their time, by ncu's names
	Pipes    map[Resource]float64 `json:"pipes"`  // shares of the time in which units have work
	Lacks    []string             `json:"lacks"`  // what there is no metric of, in words
}

// Has returns a quantity; ok is false if the file lacks it.
func (m *Measured) Has(q Quantity) (v float64, ok bool) {
	v, ok = m.Values[q]
	return v, ok
}

// sumUp makes one of launches of a kernel. What some of them lack is left out.
func sumUp(launches []*Launch) *Measured {
	first := launches[0]
	m := &Measured{Kernel: first.Kernel, Launches: len(launches), Threads: first.Threads(), CC: first.CC, Values: map[Quantity]float64{}}
	for _, l := range launches {
		m.Blocks += float64(l.Blocks()) / float64(len(launches))
	}
	weights := weightsOf(launches)
	for _, x := range metricTable {
		if _, done := m.Values[x.quantity]; done {
			continue
		}
		if v, ok := x.combined(launches, weights); ok {
			m.Values[x.quantity] = v
		}
	}
	m.Stalls = meanOf(launches, weights, stallsOf)
	m.Pipes = meanOf(launches, weights, pipesOf)
	m.derive()
	m.Lacks = m.lacks()
	return m
}

// weightsOf returns the shares of the launches in their time; equal ones where a launch does not tell its.
func weightsOf(launches []*Launch) []float64 {
	w, all := make([]float64, len(launches)), 0.0
	for i, l := range launches {
		n, _, ok := metricTable[0].value(l)
		if !ok || n <= 0 {
			all = 0
			break
		}
		w[i] = n
		all += n
	}
	for i := range w {
		if w[i] /= all; all == 0 {
			w[i] = 1 / float64(len(w))
		}
	}
	return w
}

func (x metric) combined(launches []*Launch, weights []float64) (all float64, ok bool) {
	for i, l := range launches {
		v, _, ok := x.value(l)
		switch {
		case !ok:
			return 0, false
		case x.combine == sum:
			all += v
		case x.combine == mean:
			all += weights[i] * v
		default:
			all = max(all, v)
		}
	}
	return all, true
}

// meanOf returns the means of shares that launches have by name; nil if one lacks them.
func meanOf[K comparable](launches []*Launch, weights []float64, of func(*Launch) map[K]float64) map[K]float64 {
	all := map[K]float64{}
	for i, l := range launches {
		shares := of(l)
		if len(shares) == 0 {
			return nil
		}
		for k, v := range shares {
			all[k] += weights[i] * v
		}
	}
	return all
}

// derive adds what follows from other quantities.
func (m *Measured) derive() {
	passes, ok := m.Has(SharedPasses)
	cycles, counted := m.Has(Cycles)
	sms, known := m.Has(Multiprocessors)
	if _, has := m.Has(SharedShare); !has && ok && counted && known && cycles*sms > 0 {
		m.Values[SharedShare] = passes / (cycles * sms) // one pass a clock and multiprocessor
	}
}

// DRAMBytes returns what moved between device memory and chip. --page details has the rate alone.
func (m *Measured) DRAMBytes() (float64, bool) {
	read, ok := m.Has(DRAMRead)
	if written, both := m.Has(DRAMWritten); ok && both {
		return read + written, true
	}
	rate, ok := m.Has(DRAMRate)
	seconds, timed := m.Has(Time)
	return rate * seconds, ok && timed
}

// Idle returns the share of the time in which a multiprocessor had no warp, on average.
func (m *Measured) Idle() (float64, bool) {
	active, ok := m.Has(ActiveCycles)
	all, both := m.Has(Cycles)
	if !ok || !both || all <= 0 {
		return 0, false
	}
	return max(0, 1-active/all), true
}

// lacks says what a classification would take that there is not.
func (m *Measured) lacks() (all []string) {
	_, bytes := m.DRAMBytes()
	_, idle := m.Idle()
	for _, x := range []struct {
		what string
		is   bool
	}{
		{"time (gpu__time_duration.sum)", m.has(Time)},
		{"bytes of device memory (dram__bytes_read.sum, dram__bytes_write.sum)", bytes},
		{"share of device memory (dram__throughput.avg.pct_of_peak_sustained_elapsed)", m.has(DRAMShare)},
		{"share of L2 (lts__throughput.avg.pct_of_peak_sustained_elapsed)", m.has(L2Share)},
		{"passes of shared memory (l1tex__data_pipe_lsu_wavefronts_mem_shared.sum)", m.has(SharedPasses) || m.has(SharedShare)},
		{"instructions (smsp__inst_executed.sum)", m.has(Instructions)},
		{"clocks with an instruction issued (smsp__issue_active.avg.pct_of_peak_sustained_active)", m.has(IssueShare)},
		{"units of arithmetic (sm__inst_executed_pipe_*)", len(m.Pipes) > 0},
		{"warps at once (sm__warps_active.avg.pct_of_peak_sustained_active)", m.has(Occupied)},
		{"time without work (sm__cycles_active.avg, gpc__cycles_elapsed.max)", idle},
		{"accesses to local memory (smsp__inst_executed_op_local_ld.sum, _st.sum)", m.has(LocalLoads) && m.has(LocalStores)},
		{"what warps wait for (smsp__average_warps_issue_stalled_*_per_issue_active.ratio)", len(m.Stalls) > 0},
	} {
		if !x.is {
			all = append(all, x.what)
		}
	}
	return all
}

func (m *Measured) has(q Quantity) bool { _, ok := m.Values[q]; return ok }

// Group returns what was measured of each kernel, in the order in which they were first launched.
func Group(launches []*Launch) (all []*Measured) {
	by := map[string][]*Launch{}
	var names []string
	for _, l := range launches {
		if by[l.Kernel] == nil {
			names = append(names, l.Kernel)
		}
		by[l.Kernel] = append(by[l.Kernel], l)
	}
	for _, name := range names {
		all = append(all, sumUp(by[name]))
	}
	return all
}
