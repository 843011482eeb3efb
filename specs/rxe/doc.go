// Package rxe shows that real software for RDMA runs across rocelab: the kernel's
// soft-RoCE (rdma_rxe), rdma-core and perftest as Debian has them, in two small virtual
// machines. Nobody here wrote what they send, nor what checks it.
//
// First the machines talk across a bridge of the kernel, without rocelab: ib_write_bw,
// ib_send_bw, ib_read_bw and rping run, and what they cannot do later is not theirs.
//
// The specs carry the label "rxe" and run with ROCELAB_SLOW=1, as root, in half a
// minute. They need QEMU (Debian's package qemu-system-x86) and what package image
// downloads, once: 90 MB of Debian's packages, of which it makes a kernel and a file
// system, 21 MB, kept in the user's cache folder under rocelab/rxe. What is missing is
// named, and the specs are skipped. Network interfaces are taps in a network namespace
// that only the specs' process keeps; a machine ends with that process.
//
// Limits. QEMU emulates the processor, so that a machine sends some 100 to 300 Mb/s.
// Soft-RoCE obeys no pause (PFC) and answers no CNP, and marks no frame as ECN-capable
// unless a tool's --tclass says so; the NICs of a data centre do. No spec judges a time.
package rxe
