package machine

// A CPU is what is assumed of a core of a processor.
type CPU struct {
	First int64 // bytes of the cache of first level
	Cache int64 // bytes of the cache of second level
	Last  int64 // bytes of the last level: a core's share
	Line  int64 // bytes of a cache line, which are those of the widest vectors
	Cores int64 // that share the tiles of a phase
}

// CacheLine is the bytes of a cache line, and of the widest vectors, of all processors that we know.
const CacheLine = 64

// AnyCPU is like current cores of servers: 48 KiB, 1 MiB, 4 MiB, and four of them.
var AnyCPU = CPU{First: 48 * kib, Cache: 1 * kib * kib, Last: 4 * kib * kib, Line: CacheLine, Cores: 4}
