// Package progressfile records a run's progress: a line of JSON some times a second in the file live.ndjson of its
// unfinished folder, for people and pages to look at. Runs never read it, and it is gone when the folder closes.
package progressfile

// File is the name of the file, in the folder that is being written.
const File = "live.ndjson"

// Line is the state of one run at one moment. Counts are from the run's start.
type Line struct {
	// Run is the folder of the run below the run folder, such as "pc4/seed-1"; Runner is mem,
	// veth or live.
	Run    string `json:"run"`
	Runner string `json:"runner"`
	// Scenario, Variant, Algorithm and Seed are as the manifest of the folder will have them.
	Scenario  string `json:"scenario,omitempty"`
	Variant   string `json:"variant,omitempty"`
	Algorithm string `json:"algorithm,omitempty"`
	Seed      uint64 `json:"seed,omitempty"`
	// Wall is the time since the run began, in milliseconds; Model is model time in picoseconds. Until is the latest
	// model time for the end of the run, 0 if it is unknown.
	Wall  int64 `json:"wall_ms"`
	Model int64 `json:"model_ps"`
	Until int64 `json:"until_ps,omitempty"`
	// Limit is the model time that ends a run whose flows do not complete, in picoseconds, 0 if there is none.
	Limit int64 `json:"limit_ps,omitempty"`
	// Share is the part of the run that is done, from 0 to 1, 0 if it is not known. Left is the time on the wall, in
	// milliseconds, that the rest takes at the pace so far. Runs is the number of runs of the folder.
	Share float64 `json:"share,omitempty"`
	Left  int64   `json:"left_ms,omitempty"`
	Runs  int     `json:"runs,omitempty"`
	// Verdict is the verdict if the run ended now, as far as the counts show it: PASS as long as nothing contradicts
	// it, else RED with a reason. Ended is the word of the whole verdict, only on the last line of a run.
	Verdict string `json:"verdict"`
	Ended   string `json:"ended,omitempty"`
	// Completed of Flows have all of their bytes acknowledged.
	Flows     int `json:"flows"`
	Completed int `json:"completed"`
	// Bytes and DeliveredBytes are of payload: sent by NICs, with resent bytes, and delivered.
	SentBytes      int64 `json:"sent_bytes"`
	DeliveredBytes int64 `json:"delivered_bytes"`
	Marks          int64 `json:"marks"`
	CNPs           int64 `json:"cnps"`
	XOFFs          int64 `json:"xoffs"`
	Drops          int64 `json:"drops"`
	// QueueBytes is the longest queue of a switch at this moment.
	QueueBytes int64 `json:"queue_bytes"`
	// Queues are the longest queues of ports, longest first, at most 16; nil where the runner
	// knows none by port, on veth and live.
	Queues []Queue `json:"queues,omitempty"`
}

// Queue is the length of a port's queue.
type Queue struct {
	Port  string `json:"port"`
	Bytes int64  `json:"bytes"`
}
