package main

import "errors"

// realtimeHelp is the help of --realtime.
const realtimeHelp = "give the threads that run windows real-time priority, SCHED_FIFO at its lowest level; a " +
	"thread that uses more of a core than allowed loses it, and is named; needs two cores"

// errRealtime refuses --realtime without a clock.
var errRealtime = errors.New("--realtime needs --on live: only such a run is held to the wall clock")
