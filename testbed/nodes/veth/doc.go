// Package veth is the testbed: the nodes of a plan in separate containers,
// joined by veth pairs, hosted by daemons that exchange real packets in windows
// of model time.
//
// Deploy brings a testbed up: a network namespace and a container for every
// switch and every server, a veth pair for every link, a daemon in every
// container. Run carries out a plan on it and brings back an outcome; its
// trace equals the one of package mem, bit for bit. Destroy takes the testbed away,
// also one that another process left behind. A testbed may be kept and run
// on again: each run gets a new page, new sockets, new models and new plugin
// processes, so that nothing of the last is left; latency and rate may change
// between runs, the graph may not.
//
// All of a testbed that is not in the kernel is in one folder, /run/rocelab/NAME,
// readable by its owner alone: its state, the control sockets of its daemons, their
// logs. The page of a run is memory without a name, of a size that is for good
// (internal/sealed); who looks on reaches it through the process that runs. What
// daemons write there, and what they answer, is looked at before anything is made of it:
// a daemon that was got at can end a run with an error, and can lie about what it
// counted, and no more.
package veth
