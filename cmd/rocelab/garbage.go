package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// garbage is the heap's growth in percent at which it is collected. A run allocates while queues fill for the first
	// time and hardly after that, so collecting more often than by default costs little; it reduces the peak memory of
	// a 1024-host fat tree by 3 to 8 %. GOGC in the environment overrides it.
	garbage = 40
	// smallHeap is the size up to which the heap is not collected at all: writing the files and the page of a short run
	// would otherwise cause dozens of collections. Unit: bytes.
	smallHeap = 64 << 20
	// mostGarbage bounds what a large heap grows by before it is collected, unless that is less than leastGarbage in
	// percent: a run of a million flows has 0.8 GB in use. Unit: bytes.
	mostGarbage  = 80 << 20
	leastGarbage = 10
)

// paceCollector sets when garbage is collected: at smallHeap, and above it at a growth of garbage, or by
// mostGarbage. It looks again after each collection.
func paceCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const leastOfGo = 4 << 20 // the first collection is at this size at 100 %
	debug.SetGCPercent(100 * smallHeap / leastOfGo)
	afterCollections(func() { debug.SetGCPercent(growth(liveHeap())) })
}

// growth is the percentage at which a heap of this many live bytes grows to smallHeap, garbage at least; that of a
// large one is less.
func growth(live uint64) int {
	if live >= smallHeap {
		return max(leastGarbage, min(garbage, int(100*mostGarbage/live)))
	}
	return max(garbage, int(100*(smallHeap-live)/max(1, live)))
}

// liveHeap is the heap after the last collection, in bytes.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// afterCollections calls a function after each collection from now on.
func afterCollections(call func()) {
	runtime.AddCleanup(new([16]byte), func(func()) { call(); afterCollections(call) }, call)
}
