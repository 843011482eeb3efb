package model

import (
	"fmt"
	"strconv"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/nicd"
)

// peersOf returns the connections to real stacks that end at a NIC.
func peersOf(p *plan.Plan, nic int) (list []nicd.PeerConfig) {
	for i := range p.Peers {
		if one := &p.Peers[i]; one.NIC == nic {
			list = append(list, nicd.PeerConfig{
				Name:    one.Name,
				QP:      one.OwnQP,
				Peer:    nicd.Peer{QP: one.QP, IP: one.IP, MAC: one.MAC},
				SrcPort: one.SrcPort,
				DSCP:    one.DSCP,
				Verbs:   one.Verbs,
			})
		}
	}
	return list
}

// peerRow is what a connection to a real stack brings back.
type peerRow struct {
	Name string
	nicd.PeerRecord
}

// peerSheet is the sheet of the connections to real stacks. Its rows are added by the NICs.
var peerSheet = result.KindSheet{
	File: "peers.csv",
	Doc: "One row per connection to a real stack, named by the peer: our end of it. Counters of requests have the names " +
		"of soft-RoCE's hw_counters. Digests are SHA-256.",
	Columns: []result.KindColumn{
		{Name: "status", Doc: "How the work of our host ended: unfinished, success, or the error of its completion."},
		{Name: "completed_messages", Doc: "Messages of our work that completed."},
		{Name: "read_errors", Doc: "READs that returned bytes other than the expected content of the stack's memory."},
		{Name: "refused_syndrome", Doc: "Syndrome of the NAK that ended the stack's requests, 0x0 for none."},
		{Name: "sent_pkts", Doc: "Packets that our end sent."},
		{Name: "rcvd_pkts", Doc: "Packets that our end received."},
		{Name: "duplicate_request", Doc: "Requests of the stack that came again."},
		{Name: "out_of_seq_request", Doc: "Requests beyond a gap that were answered by a NAK."},
		{Name: "ahead_requests", Doc: "All requests that came beyond a gap or while our end was not ready."},
		{Name: "send_rnr_err", Doc: "RNR NAKs that our end sent."},
		{Name: "rcvd_rnr_err", Doc: "RNR NAKs that our end received."},
		{Name: "rcvd_seq_err", Doc: "NAKs for a gap that our end received."},
		{Name: "retries", Doc: "Timeouts after which all was sent again."},
		{Name: "resent_packets", Doc: "Requests that were sent more than once."},
		{Name: "read_gaps", Doc: "Gaps among responses to our READs."},
		{Name: "cnps_received", Doc: "CNPs that came for the connection."},
		{Name: "cnps_sent", Doc: "CNPs that our end sent for marked frames."},
		{Name: "marked_frames", Doc: "Frames of the stack that came with CE."},
		{Name: "served_sends", Doc: "SENDs of the stack that were served."},
		{Name: "served_writes", Doc: "WRITEs of the stack that were served."},
		{Name: "served_reads", Doc: "READs of the stack that were served, first times only."},
		{Name: "received_messages", Doc: "Messages of the stack that took a receive."},
		{Name: "received_digest", Doc: "Digest of the received messages in order: for each its length and its immediate, " +
			"32 bits each, least significant byte first, and then its bytes."},
		{Name: "sent_digest", Doc: "The same for our messages that take a receive at the stack."},
		{Name: "memory_digest", Doc: "Digest of our memory at the end."},
		{Name: "shadow_digest", Doc: "Digest that the stack's memory must have, if it began as zeros."},
	},
}

// cells are those of the row.
func (r *peerRow) cells() []string {
	count := func(n uint64) string { return strconv.FormatUint(n, 10) }
	return []string{
		r.Status.String(), count(r.Completed), count(r.ReadErrors), fmt.Sprintf("%#x", r.Refused),
		count(r.Sent), count(r.Received), count(r.DuplicateRequest), count(r.OutOfSeqRequest),
		count(r.Ahead), count(r.SentRNR), count(r.ReceivedRNR), count(r.ReceivedSeqErr), count(r.Retries), count(r.Resent),
		count(r.ReadGaps), count(r.CNPs), count(r.SentCNPs), count(r.Marked), count(r.Sends), count(r.Writes), count(r.Reads),
		count(r.Messages), r.ReceivedSum, r.SentSum, r.MemorySum, r.ShadowSum,
	}
}
