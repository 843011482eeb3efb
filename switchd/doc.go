// Package switchd models a shared-buffer Ethernet switch for RoCEv2: dynamic
// thresholds, PFC, WRED/ECN, in-band telemetry, strict and DWRR scheduling, ECMP
// and its relatives.
//
// # Model
//
// A frame is stored when its last bit arrived, then forwarded; its path is
//
//	link fault -> PFC or data -> TTL -> next hop, or bridge -> class and queue ->
//	buffer (admit or drop) -> XOFF? -> [latency] -> egress queue ->
//	scheduler -> WRED -> memory freed -> INT -> wire -> XON?
//
// The buffer is one memory with two sets of counters over it: by ingress (port, class), which decides on admission and
// PFC, and by egress queue, which decides on marking. The sum of either is the content of the memory, except for
// control classes, which bypass it: one of their queues takes as much as there is shared memory, which only a foreign
// host can fill.
//
// A DCI port, which leads over a long-haul path to another switch, has its own
// memory beside the shared one, its own marking thresholds and its own PFC: see
// profile.DCI.
//
// A packet for an address of the fabric, RoCE or not, is routed: its MAC addresses stay, its TTL falls by one, and a
// TTL of 1 or 0 ends it, at the last switch too. In a fabric with edges (Config.Tree) all else is bridged: by learned
// addresses, else along one tree of the fabric, which has no loops for any set of links. Floods are bounded at each
// port, and so is the table of addresses: a port has its share of it, and an address moves once a second at most. The
// bridge does not learn from frames that it drops. It changes nothing but ECN; groups that are link-local end there
// (IEEE 802.1Q, clause 8.6.3).
//
// With proximal CNP (profile.Proximal) a switch has an observer: it sees frames
// before they are forwarded, counts the flows in the queues, and has the switch
// make frames itself: messages to other switches' loopbacks, and CNPs.
// congestion.go is the congested switch, reaction.go and inspect.go the one next
// to the sender; package proximal has what each of them reckons with.
//
// # Parts
//
//	switch.go       the path of a frame, and who may send again
//	port.go         a port and its transmitter
//	egress.go       its queues and their scheduler; queue.go one of them
//	mmu.go, dci.go  memory: the shared buffer, the pool of a DCI port
//	pfc.go          pauses asked for and obeyed (package link)
//	wred.go         marking
//	telemetry.go    INT
//	watchdog.go     the PFC watchdog; deadlock.go and cycles.go look for cycles of waiting
//	forward.go      the next hop; bridge.go that of frames without an address of the fabric
//	fault.go        outages and loss (package link); failover.go changes of the routes
//	observer.go     the interface of proximal CNP; proximity.go implements it
//
// The parts are values that do not depend on the switch; each call carries the time.
//
// # Contract
//
// Switch is a fabric.Node: a pure state machine whose calls carry the time. All later actions are in its event.Queue,
// so its results do not depend on the horizons of Advance. Frames belong to the switch from Deliver until it emits or
// frees them. A drop, mark or pause is an outcome with a counter (record.Port), never an error; only New returns
// errors.
//
// # Sources
//
// Buffer: Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", IEEE/ACM ToN 1998;
// the order of steps is as in the public RDMA simulator (alibaba-edu HPCC, ns-3). PFC: IEEE 802.1Q clause 36 and IEEE
// 802.3 annex 31B. Marking: DCQCN (Zhu et al., SIGCOMM 2015) section 3.1. Proximal CNP:
// draft-ji-ccwg-distributed-lossless-mechanism-00. DWRR: Shreedhar and Varghese, SIGCOMM 1995. Flowlets: Vanini et al.,
// "Let It Flow", NSDI 2017. Differences between the model and its source are marked in the code.
//
// # Limits
//
// Cut-through only where a profile asks for it and the egress is idle. No multicast
// but floods, no link aggregation below ECMP, no rewriting of MAC addresses. Without
// edges a destination is an IPv4 address of the fabric's dense range, or a switch's
// loopback, and anything else (IPv6 included) has no route. A bridge looks at no VLAN tag: tags pass, and separate
// nothing. Routes change at the instants that the configuration has (Epochs); the tree does not. Interface delays of
// PHY and MAC are zero.
package switchd
