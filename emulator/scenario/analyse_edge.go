package scenario

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// EdgeReport has the consequences for an edge before a run.
type EdgeReport struct {
	Name string `json:"name"`
	// Interface is the host's, in Namespace; both are "" at a host with its own stack.
	Interface string `json:"interface,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	// Address is its own in the fabric: frames to it take the fabric's routes.
	Address netip.Addr `json:"address"`
	// Rate and Latency are its link's, Queue what may wait for it.
	Rate    unit.BitRate  `json:"rate_bps"`
	Latency unit.Duration `json:"latency_ps"`
	Queue   unit.Bytes    `json:"queue_bytes"`
	// Class is that of frames without a DSCP at the switch, -1 without a switch.
	Class int `json:"class"`
}

func edgeReports(planned *plan.Plan) []EdgeReport {
	list := []EdgeReport{}
	for _, i := range planned.Edges() {
		edge, node := planned.EdgeAt(i), planned.Node(planned.DeviceNode(i))
		a := planned.AttachmentAt(&node, 0)
		one := EdgeReport{
			Name:      node.Name,
			Interface: edge.Interface,
			Namespace: edge.Namespace,
			Address:   address(edge.IP),
			Rate:      a.Tx.Rate,
			Latency:   a.Tx.Latency,
			Queue:     edge.Queue,
			Class:     -1,
		}
		if sw, _ := switchBehind(planned, i); sw != nil {
			one.Class = int(sw.Profile.ClassOf[0])
		}
		list = append(list, one)
	}
	return list
}

func address(ip uint32) netip.Addr {
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)})
}

// switchBehind returns the switch at the end of an edge's link and the port there; nil if it is another node.
func switchBehind(planned *plan.Plan, device int) (*plan.Switch, int) {
	far := planned.Peer(planned.Devices[device].Links[0], plan.End{Node: planned.DeviceNode(device)})
	if n := planned.Node(far.Node); n.Kind == plan.KindSwitch {
		return &planned.Switches[n.Index], far.Port
	}
	return nil, 0
}

// warnEdges warns of what spoils a run with hosts that are not ours.
func (r *Report) warnEdges(planned *plan.Plan) {
	edges := planned.Edges()
	if len(edges) == 0 {
		return
	}
	warn := func(format string, args ...any) { r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...)) }
	r.warnWindows(planned)
	warnThresholds(planned, warn)
	warnPauses(planned, warn)
	if meetsNobody(planned) {
		warn("no link of the fabric is slower than the links of the edges: frames that hosts send too fast wait, "+
			"and are dropped, in the queues of edges such as %s, which do not mark; give their links a higher "+
			"rate than the fabric", planned.Devices[edges[0]].Name)
	}
}

// meetsNobody reports whether what comes in at edges can queue nowhere behind their own
// links. With a third station, two may meet.
func meetsNobody(planned *plan.Plan) bool {
	if planned.Stations() != 2 {
		return false
	}
	for j, i := range planned.Edges() {
		if own, slowest := slowestBehind(planned, i, 1-(len(planned.NICs)+j)); slowest < own {
			return false
		}
	}
	return true
}

// warnPauses warns of edges that are paused and will hardly obey.
func warnPauses(planned *plan.Plan, warn func(format string, args ...any)) {
	classes := map[uint8][]string{}
	for _, i := range planned.Edges() {
		sw, _ := switchBehind(planned, i)
		if sw == nil || planned.EdgeAt(i).PFCHere {
			continue
		}
		if class := sw.Profile.ClassOf[0]; sw.Profile.PFC.Enabled && sw.Profile.PFC.Lossless[class] {
			classes[class] = append(classes[class], planned.Devices[i].Name)
		}
	}
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		warn("frames without a DSCP that come in at %s are of class %d, which is lossless: switches pause it, and few hosts "+
			"obey, neither by a veth nor a tap nor soft-RoCE; write pfc: here, or switch.pfc.enabled: false for a lossy fabric",
			listEnds(classes[class]), class)
	}
}

// manyWindows is the number of windows in a millisecond of model time that deserves a warning: with a daemon for each
// node a window takes some tens of microseconds.
const manyWindows = 100

// warnWindows warns of links that make the windows of a run on the clock short.
func (r *Report) warnWindows(planned *plan.Plan) {
	if r.WindowsPerMs <= manyWindows {
		return
	}
	r.Warnings = append(r.Warnings, fmt.Sprintf(
		"windows are only %v long because of link %s: up to %d in a millisecond of model time, and each takes time on the "+
			"wall; a longer latency there keeps the clock better", r.Window, shortestLink(planned, r.Window), r.WindowsPerMs))
}

// shortestLink names the link that bounds the windows.
func shortestLink(planned *plan.Plan, window unit.Duration) string {
	name := func(l *plan.Link) string { return planned.NodeName(l.A.Node) + "-" + planned.NodeName(l.B.Node) }
	for i := range planned.Links {
		a, b := planned.Attachment(i, false), planned.Attachment(i, true)
		if min(a.Lookahead(), b.Lookahead()) == window {
			return name(&planned.Links[i])
		}
	}
	for _, i := range planned.Edges() {
		if l := &planned.Links[planned.Devices[i].Links[0]]; min(l.Forward.Latency, l.Backward.Latency)/2 == window {
			return name(l)
		}
	}
	return "unknown"
}

// framesToMark is the number of full frames that Kmin should hold: below, a port marks, or drops, a mere burst of a
// host.
const framesToMark = 16

// warnThresholds warns of marking that begins at a few frames, in the class of frames that come in at edges. Thresholds
// shrink with the rate of a port, and a DCI port's thresholds with its length too.
func warnThresholds(planned *plan.Plan, warn func(format string, args ...any)) {
	frame := unit.Bytes(0)
	for _, i := range planned.Edges() {
		frame = max(frame, planned.EdgeAt(i).MTU+frameOverhead)
	}
	said := map[string]bool{}
	for i := range planned.Switches {
		sw := &planned.Switches[i]
		node := planned.Node(planned.SwitchNode(i))
		class := sw.Profile.ClassOf[0]
		for port := range sw.Links {
			wred := &sw.Profile.OfPort(port).ECN[class]
			a := planned.AttachmentAt(&node, port)
			kmin, marks := wred.Kmin, wred.Enabled
			key := "kmin and kmax of switch.ecn, with scale_rate: 0bps if they should hold for every port"
			if a.DCI {
				memory := sw.Profile.DCIFor(&a, planned.MaxFrame())
				kmin, marks = memory.Kmin, marks && sw.Profile.DCI.ECN.Enabled
				key = "kmin and kmax of switch.dci.ecn, and a dci.buffer that holds more"
			} else if wred.ScaleRate > 0 {
				kmin = wred.Kmin.Scale(int64(a.Tx.Rate), int64(wred.ScaleRate))
			}
			text := fmt.Sprintf("class %d is marked from %v on at ports of %v", class, kmin, a.Tx.Rate)
			if !marks || kmin >= framesToMark*frame || said[text] {
				continue
			}
			said[text] = true
			warn("%s, such as %s:%d: less than %d frames of %v; write %s", text, sw.Name, port, framesToMark, frame, key)
		}
	}
}

// slowestBehind returns the rate of an edge's link, and that of the slowest link behind it
// on the way to a station; 0 if there is no way.
func slowestBehind(planned *plan.Plan, device, station int) (own, slowest unit.BitRate) {
	from := planned.Node(planned.DeviceNode(device))
	own = planned.AttachmentAt(&from, 0).Tx.Rate
	slowest = unit.BitRate(1<<63 - 1)
	at := planned.Peer(from.Links[0], plan.End{Node: from.ID})
	for range len(planned.Switches) + 1 {
		node := planned.Node(at.Node)
		if node.Kind != plan.KindSwitch {
			return own, slowest
		}
		sw := &planned.Switches[node.Index]
		hops := sw.NextHops[sw.Routes[station]]
		if len(hops) == 0 {
			break
		}
		port := int(hops[0])
		slowest = min(slowest, planned.AttachmentAt(&node, port).Tx.Rate)
		at = planned.Peer(node.Links[port], plan.End{Node: node.ID, Port: port})
	}
	return own, 0
}
