//go:build linux

// Command nemesis injects faults at random moments into small runs of every
// kind, and looks whether rocelab ends as it promises: within a bound of time, with
// an exit code of its kind and a message that names the culprit, and with
// nothing left behind.
//
//	sudo go run ./specs/faults/nemesis --seed 1 --count 200
//	sudo go run ./specs/faults/nemesis --list
//	sudo go run ./specs/faults/nemesis --only 1/37
//
// Only the seed chooses the cases: the fault, the command, the time, the victim. The exact moment at which a fault
// strikes depends on the machine, so a case may have to be repeated until it fails again. A case that fails is printed
// with the command that repeats it; --shrink looks for a simpler one first.
//
// Each case is a process of its own, which adopts all orphans of its commands, with folders and names of its own: it
// checks what it has made itself, so that others may use testbeds at the same time. With --exclusive it compares the
// whole host, too.
package main
