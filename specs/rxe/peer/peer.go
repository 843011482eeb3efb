// Package peer holds the source of rocelab-peer, a small program in C for any RDMA device: the far end of a connection
// to a NIC of rocelab. It needs rdma-core and nothing else.
package peer

import _ "embed"

// Source is the program's source.
//
//go:embed program/rocelab-peer.c
var Source []byte
