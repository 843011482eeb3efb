// Package probe asks programs of algorithms what they are, which parameters they
// take and which signals they want, in containers: a program that is to run in the
// containers of a testbed never runs on the host.
//
// A probe is a container of the built-in runtime. Its first process is this very
// executable (Become), which starts the program as a daemon would and passes
// questions on; so the program has no capabilities, an empty network, a read-only
// root with itself alone, and the limits of a run. When the host's end of its
// socket closes, however the host ends, it ends, and the kernel kills all others
// in there.
//
// What is left of a killed host is its folder and empty cgroups. Clear removes
// them.
package probe
