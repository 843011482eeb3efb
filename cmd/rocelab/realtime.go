package main

import "errors"

// realtimeHelp is what --realtime does.
const realtimeHelp = "give the threads that run windows real-time priority, SCHED_FIFO at its lowest level; one that " +
	"has more of a core than it may loses it, and is named; needs two cores"

// errRealtime refuses --realtime where no clock is kept.
var errRealtime = errors.New("--realtime goes with --on live: only there the clock on the wall is to be kept")
