package report

// tableHelp explains tables whose captions do not, by their identifiers.
var tableHelp = map[string]string{
	"xoff": "Bytes of frames that came in at a port and may wait in the switch before the port requests a pause " +
		"from its peer: with the buffer as full as it was, and with an empty one. It is not the length of an " +
		"egress queue, so it has no line in the picture above.",
	"deadlocks":  "Cycles of egress queues: each waited for the next, the last for the first.",
	"pauses":     "Ports that were held by PFC, the longest first, and the peers that held them.",
	"slow-flows": "The flows with the largest slowdown, and their events.",
	"ecmp": "Ports of a switch that lead to the same hosts at the same cost are a group; ECMP chooses one of them for " +
		"each flow, by a hash. The most uneven come first, each with the member that sent most and the one that sent " +
		"least. A few large flows on one member while another is idle collide; paths: balanced or forwarding: spray of a " +
		"scenario avoid it.",
	"slow-ports": "Where the slowest flows waited, and the flows that shared the port.",
}

// Help is the explanation of a table, "" if its caption is enough.
func (t table) Help() string { return tableHelp[t.ID] }

// Word is the name of a number for people.
func (n number) Word() string { return capital(label(n.Name)) }
