package main

import "errors"

// realtimeHelp is what --realtime does.
const realtimeHelp = "give the threads that run windows real-time priority, SCHED_FIFO at its lowest level; a " +
	"thread that uses more of a core than allowed loses it, and is named; needs two cores"

// errRealtime refuses --realtime where no clock is kept.
var errRealtime = errors.New("--realtime needs --on live: only such a run is held to the wall clock")
