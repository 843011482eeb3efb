// Package pcapng records what passes the ports of a fabric as a pcapng file
// that Wireshark, tshark and every gopacket program read.
//
// Model. Writer writes the format: one section, one Ethernet interface for
// each captured port with its name and rate, and an enhanced packet block for
// each frame with a time stamp in picoseconds of model time, its direction,
// and a comment where something befell it. Recorder is the fabric.Watcher
// that feeds a Writer from a run. It stamps a sent frame with the start of its
// first bit and a received one with the arrival of its last bit, and it writes
// in the order of time although nodes run window by window.
//
// Comments are "CE" on a frame marked congestion experienced, and "dropped: " with the reason on a received frame that
// the node dropped on arrival. This includes frames lost on the link, with reason link_loss or link_down, placed at the
// time at which they would have arrived. A frame dropped later, out of a queue, appears a second time at that instant,
// without direction.
//
// Contract. The same run gives the same bytes: the file holds no wall clock,
// host or operating system. Frames are the bytes of wire.Frame.AppendTo,
// without FCS.
//
// Sources. PCAP Next Generation Capture File Format, IETF draft
// draft-ietf-opsawg-pcapng, sections 4.1 to 4.3. The package has a writer of
// its own since the NgWriter of gopacket 1.1.19 fixes time stamps at
// nanoseconds and writes no packet comments.
//
// Limits. Time stamps count picoseconds since the start of the run, which
// readers show as a time on 1 January 1970. Readers that keep nanoseconds,
// gopacket's among them, round down. tshark 4.0 takes some short SEND payloads
// for RPC over RDMA; --disable-heuristic rpcrdma_infiniband keeps it from
// that.
package pcapng
