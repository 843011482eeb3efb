// Package result turns what a run brought back into what a person or a
// program reads: a verdict first, then tables, and a run folder of files whose
// columns carry their units.
//
// Model. A runner returns one Outcome per variant. Summarise reduces it to a
// Summary of named metrics, Judge to a Verdict with its findings, and a Folder
// writes both with the raw counters and series. Nothing here reads the wall clock
// or the machine, except host.json and what package build knows.
//
// A Summary has a section for each thing that is measured. The file of a section,
// such as pfcfigures.go, has its fields, its metrics with unit and meaning, and how
// the fields follow from an Outcome; the order of all metrics is in metric.go. A
// check is a file of functions of an Outcome. They read flows as ranFlow and ports
// as ranPort, each a record beside its plan.
//
// A Folder is written under another name, and gets its own when it is whole. Every
// sheet begins with the variant and the seed, and lacks the columns that would be
// empty: the files of several runs can be joined. host.json and the files that it lists,
// such as what programs of algorithms printed, are of the host; manifest.json lists all
// others. ReadManifest, ReadHost and Check read a folder.
//
// Contract. One Outcome gives the same bytes everywhere: rows stand in the order of the plan, numbers are printed with
// a fixed number of decimals, and sums of floats run in that order. A value that was not measured (the FCT of a run in
// which no flow completed) is absent, never 0: "" in CSV, null in JSON, "-" in tables, and NaN in Go.
//
// Judgement. A run is interrupted, red, void, failed or pass. Red means that
// its numbers must not be believed, or that a fabric which should be lossless
// was not: a byte unaccounted for, a drop in a lossless class that no
// headroom setting explains, a deadlock, a PFC watchdog that fired without a
// storm. Void means that it did not exercise what it was meant to. Failed means
// that an expectation was not met.
//
// A PFC storm that the scenario asks for is an outcome, and so are the drops of watchdogs in it: findings name the
// storm, each watchdog's actions, and the victims, flows that stood still or lost packets though they do not end at the
// storming NIC. They leave the run a pass; "drops == 0" or "victims == 0" among the expectations makes it fail.
//
// Sources. Slowdown: FCT over the flow's time with the path to itself, base RTT + wire bytes / line rate, as used by
// the DCQCN, HPCC and Swift evaluations. Fairness: R. Jain, D. Chiu, W. Hawe, "A Quantitative Measure of Fairness and
// Discrimination", DEC-TR-301, 1984. Names of counters follow the Linux mlx5 driver (np_cnp_sent, rp_cnp_handled) if it
// has one.
//
// Limits. A watchdog that fires in a storm of its class is attributed to the storm, wherever in the fabric it fires.
// Between its first packet and its last a flow is judged only by its longest silence. Quantiles are nearest-rank;
// quantiles of histograms (RTT, queueing) are at most 3.2 % high. Drops are known by reason and port, not by class, so
// the losslessness check can accuse a lossy-class reason only at a switch on which every flow's class is lossless.
package result
