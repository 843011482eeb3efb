// Package verbs is one end of a reliable connection whose other end is a real stack: soft-RoCE of a
// kernel, or an RDMA NIC. It serves SEND, WRITE and READ from memory with a key and bounds, and
// asks for the same of the peer.
//
// # Model
//
// A QP is two machines that share nothing but the wire. The responder takes the peer's requests in the
// order of PSNs and answers with ACKs, NAKs and READ responses. The requester sends the work of its host,
// message by message, and goes back to a lost packet. Both read real bytes: see Memory.
//
// It has neither a clock nor a socket. Each call brings the time; frames that leave are appended to a list,
// which the owner empties with Out. Call Take for each frame from the peer and Advance whenever the
// time that Next returns has come.
//
// # Contents
//
// The payload of our WRITEs and SENDs is wire.Pattern of destination QP and PSN. Both memories are
// known: ours begins as wire.Pattern of its key and PSN 0, the peer's as zeros, and the shadow is
// the peer's with all of our WRITEs. Each READ is compared with the shadow.
//
// # Sources
//
// InfiniBand Architecture Specification, volume 1: 9.4 (operations), 9.7.2 and 9.7.3 (PSNs), 9.7.4
// (checks of a responder, in their order), 9.7.5.2 (NAKs; 9.7.5.2.8 for RNR, table 45 for its timers),
// 9.7.6 (requester), 9.7.7.2 (end-to-end credits). If it leaves a choice, this follows drivers/infiniband/sw/rxe
// of Linux 6.1.
//
// # Limits
//
// Without atomics: a responder refuses them as invalid. It has one region a QP, and neither memory windows
// nor SEND with invalidate. READ responses are not paced, so that a long READ fills the port. The numbers of
// both ends are given, without a connection manager.
package verbs
