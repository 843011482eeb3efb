package scenario

import (
	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// peerDraft is a connection to a real stack as written.
type peerDraft struct {
	node *node
	at   position

	name, edge, host, ip, mac  string
	qp, psn, rkey              uint64
	srcPort                    int
	dscp                       int
	mtu, memory, room, receive unit.Bytes
	algorithm                  *node // nil for none
	byStack                    bool  // the stack makes its CNPs itself
	work                       []workDraft
	verbs                      peer.Config
}

// workDraft is an entry of a peer's work as written.
type workDraft struct {
	at         position
	length, to unit.Bytes
	work       peer.Work
	rkey       uint64
}

func newPeerDraft(n *node) peerDraft {
	return peerDraft{
		node:    n,
		at:      n.At,
		srcPort: 0xC000,
		dscp:    -1,
		mtu:     4096,
		memory:  unit.MB,
		receive: 4096,
		verbs:   peer.Default(),
	}
}

func newWorkDraft(n *node) workDraft { return workDraft{at: n.At, work: peer.Work{Count: 1}} }

// peerKeys are the connections between NICs of ours and real stacks.
var peerKeys = &object[peerDraft]{
	what: "peer",
	doc: "A reliable connection between a NIC and a real stack behind an edge, such as soft-RoCE. The stack's numbers " +
		"are written here; those of the NIC are what `rocelab peer` and `rocelab validate --format json` print.",
	fields: []field[peerDraft]{
		nameField("name", "Name, unique in the scenario. Default that of the edge, with a number from the second on.",
			func(p *peerDraft) *string { return &p.name }),
		nameField("edge", "The edge behind which the stack is.", func(p *peerDraft) *string { return &p.edge }).needed(),
		nameField("host", "The host whose NIC is our end. Default the first.",
			func(p *peerDraft) *string { return &p.host }),
		addressField("ip", `^[0-9.]+$`,
			"The stack's IPv4 address. Default, and the only one allowed, the address of the edge in the fabric.",
			func(p *peerDraft) *string { return &p.ip }),
		addressField("mac", `^[0-9A-Fa-f:]+$`,
			"The MAC address of the stack's interface. Default the address that a NIC of ours would have there.",
			func(p *peerDraft) *string { return &p.mac }),
		integerField("qp", "", 1, 1<<24-1, "The stack's QP number.", func(p *peerDraft) *uint64 { return &p.qp }).needed(),
		integerField("psn", "0", 0, 1<<24-1, "First PSN of the stack's requests.",
			func(p *peerDraft) *uint64 { return &p.psn }),
		integerField("rkey", "0", 0, 1<<32-1, "Key of the stack's memory.", func(p *peerDraft) *uint64 { return &p.rkey }),
		integerField("va", "0", 0, 1<<63-1, "Address of the stack's memory.",
			func(p *peerDraft) *uint64 { return &p.verbs.Peer.VA }),
		sizeField("length", "0B", "0B", "64MiB", "Size of the stack's memory; WRITEs and READs stay in it.",
			func(p *peerDraft) *unit.Bytes { return &p.room }),
		sizeField("mtu", "4096B", "256B", "4096B",
			"The stack's path MTU. The connection has the largest of 256, 512, 1024, 2048 and 4096 B that neither this nor "+
				"the scenario's mtu is below.",
			func(p *peerDraft) *unit.Bytes { return &p.mtu }),
		sizeField("memory", "1MB", "0B", "64MiB", "Size of our memory, which the stack may write to and read from.",
			func(p *peerDraft) *unit.Bytes { return &p.memory }),
		integerField("receives", "16", 0, 4096, "Receives that our host has posted. With 0 each SEND meets RNR.",
			func(p *peerDraft) *int { return &p.verbs.Receives }),
		sizeField("receive_size", "4096B", "0B", "64MiB",
			"Size of each posted receive. A longer SEND is refused as invalid; a receive that is larger than memory is "+
				"malformed, and a SEND that meets it is refused with NAK 0x63.",
			func(p *peerDraft) *unit.Bytes { return &p.receive }),
		durationField("repost", "0s", "0s", "100s", "Time after which a receive that was taken is posted again.",
			func(p *peerDraft) *unit.Duration { return &p.verbs.Repost }),
		switchField("credits", "false",
			"Our ACKs carry the number of posted receives as credits; false announces no limit.",
			func(p *peerDraft) *bool { return &p.verbs.Credits }),
		integerField("rnr_timer", "12", 0, 31, "Timer code of our RNR NAKs; 12 is 0.64 ms.",
			func(p *peerDraft) *uint8 { return &p.verbs.RNRTimer }),
		algorithmField("algorithm",
			"Congestion control of what our end asks for: it paces WRITEs, SENDs and READs, and its window bounds their "+
				"payload. Default none: all that window allows leaves at once.",
			func(p *peerDraft) **node { return &p.algorithm }),
		choiceField("notifier", "edge", []string{"edge", "stack"},
			"Who answers marked packets of ours with CNPs, if an algorithm asks for them: the edge in the stack's name, or "+
				"the stack only. Soft-RoCE sends none.",
			func(p *peerDraft, i int) { p.byStack = i == 1 }),
		integerField("window", "32", 1, 65536, "Packets of ours that may be unacknowledged; 1024 by default with an algorithm.",
			func(p *peerDraft) *int64 { return &p.verbs.Window }),
		integerField("reads", "4", 1, 128, "READs of ours that may be unanswered.",
			func(p *peerDraft) *int { return &p.verbs.Reads }),
		durationField("timeout", "100ms", "10us", "100s", "Retransmission timeout of our requests.",
			func(p *peerDraft) *unit.Duration { return &p.verbs.Timeout }),
		integerField("retries", "0", 0, 1000, "Timeouts in a row that end the connection. 0 for no limit.",
			func(p *peerDraft) *int { return &p.verbs.Retries }),
		integerField("source_port", "49152", 1024, 65535, "UDP source port of what our end sends.",
			func(p *peerDraft) *int { return &p.srcPort }),
		integerField("dscp", "", 0, 63, "Code point of what our end sends. Default that of the NIC's data.",
			func(p *peerDraft) *int { return &p.dscp }),
		listField("work", "What our host asks of the stack, in order. Default nothing.", workKeys, newWorkDraft,
			func(p *peerDraft) *[]workDraft { return &p.work }),
	},
}

// workKeys are the keys of our host's requests.
var workKeys = &object[workDraft]{
	what: "work",
	doc: "Messages of one verb. WRITEs and READs take the stack's memory one after the other, from its beginning again " +
		"when the next does not fit; WRITEs and SENDs carry the pattern of QP and PSN.",
	fields: []field[workDraft]{
		choiceField("verb", "", peer.VerbNames,
			"The operation. random draws one of write, write-imm, send, send-imm and read for each message; a fetch-add is "+
				"answered by stacks that have atomics, and its answer is not taken.",
			func(w *workDraft, i int) { w.work.Verb = peer.Verb(i) }).needed(),
		sizeField("length", "0B", "0B", "64MiB", "Bytes of each message.",
			func(w *workDraft) *unit.Bytes { return &w.length }),
		sizeField("to", "", "0B", "64MiB",
			"With it there is one message of each length from length to this; a random message has one of them.",
			func(w *workDraft) *unit.Bytes { return &w.to }),
		integerField("count", "1", 1, 1000000, "Number of repetitions.", func(w *workDraft) *int { return &w.work.Count }),
		instantField("start", "0s", "0s", "1000s", "Time before which nothing of it is sent.",
			func(w *workDraft) *unit.Time { return &w.work.Start }),
		integerField("rkey", "0", 0, 1<<32-1, "A key in place of the stack's, for tests of refusals. 0 for none.",
			func(w *workDraft) *uint64 { return &w.rkey }),
		integerField("offset", "0", 0, 1<<40, "Bytes that are added to each address, for tests of refusals.",
			func(w *workDraft) *uint64 { return &w.work.Offset }),
	},
}

// addressField reads an address that the builder checks.
func addressField(key, pattern, doc string, at func(*peerDraft) *string) field[peerDraft] {
	f := textField(key, doc, at)
	f.schema = func(*outline) schema { return schema{"type": "string", "pattern": pattern} }
	return f
}
