// Package inband is HPCC's in-band network telemetry (INT): the record that
// a switch stamps into a data packet when it leaves an egress queue, and the
// stack of records that a packet gathers on its way.
//
// Sources: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019,
// section 3.2 and figure 7, for what a hop reports; the public RDMA simulator
// (alibaba-edu HPCC ns-3, IntHeader) for the widths of the fields. The order of
// the bits and the header around the records are rocelab's own.
package inband
