// Package rxe shows that real software for RDMA runs across rocelab: the kernel's soft-RoCE (rdma_rxe), rdma-core and
// perftest as Debian has them, in two small virtual machines. Neither the senders nor their checks were written for
// rocelab.
//
// First the machines talk across a bridge of the kernel, without rocelab: ib_write_bw,
// ib_send_bw, ib_read_bw and rping run with both MTUs, the codec decodes all that they
// send, and what they cannot do later is not rocelab's doing.
//
// Then each machine is an edge of a run that is held to the clock, with two switches and
// 120 km of fibre between them. The tools run again, and a round trip takes the
// fibre's time; the switch at the fibre marks, and the machine's kernel counts as
// many marks as are on the wire; the fibre loses frames, and soft-RoCE sends them again, and
// rping finds every byte right; replayed in memory that is the same run, to its trace. So
// it is across `rocelab wire`.
//
// The specs carry the label "rxe" and run with ROCELAB_SLOW=1, as root, in two minutes on two busy cores. They need
// QEMU (Debian's package qemu-system-x86) and the downloads of package image, once: 90 MB of Debian's packages, from
// which it makes a kernel and a file system, 21 MB, kept in the user's cache folder under rocelab/rxe. If anything is
// missing, it is named, and the specs are skipped. Network interfaces are taps in a network namespace that only the
// specs' process keeps; a machine ends with that process.
//
// Sources: perftest and rdma-core of Debian; drivers/infiniband/sw/rxe of Linux 6.1.
//
// Limits. QEMU emulates the processor, so that a machine sends 10 to 300 Mb/s; runs are at 50 Mb/s. On a busy host the
// verdict on time is red, and no spec judges it. Soft-RoCE does not obey pauses (PFC), does not answer CNPs, does not
// mark frames as ECN-capable unless a tool's --tclass asks for it, and sends all again after a timeout that does not
// depend on model time, so the tools keep few messages under way.
package rxe
