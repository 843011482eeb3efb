package scenario

import (
	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
)

// faultDraft is a fault as written, of a link or of hosts.
type faultDraft struct {
	at   position
	kind string
	node *node

	link     string
	loss     float64
	ber      float64
	frames   fabric.Frames
	toward   string
	down, up unit.Time
	// lost, corrupted and cut report whether the fault has a loss, a bit error ratio and an outage.
	lost, corrupted, cut bool

	host     string
	class    int // -1 for the class of the host's data
	from, to unit.Time
}

// The kinds of faults.
const (
	linkFault = "link"
	pfcStorm  = "pfc-storm"
)

func newFaultDraft(n *node) faultDraft {
	return faultDraft{at: n.At, node: n, class: -1, to: unit.Never}
}

var faultKinds = []string{linkFault, pfcStorm}

// faultKind is the kind of a fault that does not say.
func faultKind(n *node) string {
	if n.Child("host") != nil && n.Child("link") == nil {
		return pfcStorm
	}
	return linkFault
}

var faultKeys = &object[faultDraft]{
	what:  "fault",
	doc:   "A loss rate or an outage of one link or of several, or a PFC storm.",
	kind:  "kind",
	kinds: faultKinds,
	guess: faultKind,
	fields: []field[faultDraft]{
		choiceField("kind", "", faultKinds,
			"What is faulty: a link, or a host whose NIC pauses a class of its link without need. Left away, it "+
				"is what link or host names.",
			func(f *faultDraft, i int) { f.kind = faultKinds[i] }),
		field[faultDraft]{key: "link",
			doc: `The link: its two ends as in "h0-s0" or, where several join the same nodes, ` +
				`"leaf0:4-spine0:0"; or a pattern such as "h*-s0".`,
			schema: func(*outline) schema { return schema{"type": "string", "minLength": 3} },
			read: func(r *reader, n *node, fault *faultDraft) {
				const ends = `a link's two ends, such as "h0-s0"`
				if fault.link, _ = r.scalar(n, "link", ends); fault.link == "" && n.Kind == document.Scalar {
					r.add(n.At, "link is empty: it must be %s", ends)
				}
				fault.at = n.At
			}}.ofKinds(linkFault).needed(),
		numberField("loss", "0", 0, 1, false, "Probability with which a frame is lost, in each direction unless "+
			"toward says one. A later fault of the same link takes an earlier one's place.",
			func(f *faultDraft) *float64 { return &f.loss }).ofKinds(linkFault),
		choiceField("frames", "all", fabric.FramesNames, "Which frames may be lost: all, pauses among them; data, the "+
			"packets of messages; acks, acknowledgements, NAKs among them. An outage loses all.",
			func(f *faultDraft, i int) { f.frames = fabric.Frames(i) }).ofKinds(linkFault),
		numberField("ber", "0", 0, 1, false, "Bit error ratio: probability with which a bit is wrong, in each direction "+
			"unless toward says one. A frame with a wrong bit is lost, so long frames are lost more often. A later "+
			"fault of the same link takes an earlier one's place.",
			func(f *faultDraft) *float64 { return &f.ber }).ofKinds(linkFault),
		field[faultDraft]{key: "toward",
			doc: `The end of the link towards which frames are lost, such as "h0", or a pattern such as "h*" that one ` +
				`end of each of the links has. Default both.`,
			schema: func(*outline) schema { return schema{"type": "string", "minLength": 1} },
			read: func(r *reader, n *node, fault *faultDraft) {
				const end = `an end of the link, such as "h0"`
				if fault.toward, _ = r.scalar(n, "toward", end); fault.toward == "" && n.Kind == document.Scalar {
					r.add(n.At, "toward is empty: it must be %s", end)
				}
			}}.ofKinds(linkFault),
		instantField("down", "", "0s", "1000s", "When the link goes down.",
			func(f *faultDraft) *unit.Time { return &f.down }).ofKinds(linkFault),
		instantField("up", "", "0s", "1000s", "When it is up again. Default never.",
			func(f *faultDraft) *unit.Time { return &f.up }).ofKinds(linkFault),
		field[faultDraft]{key: "host",
			doc: `The host whose NIC is broken, such as "h3"; or a range such as "h0..h7", or a pattern such as ` +
				`"h1*".`,
			schema: func(*outline) schema { return schema{"type": "string", "minLength": 1} },
			read: func(r *reader, n *node, fault *faultDraft) {
				const host = `a host, such as "h3"`
				if fault.host, _ = r.scalar(n, "host", host); fault.host == "" && n.Kind == document.Scalar {
					r.add(n.At, "host is empty: it must be %s", host)
				}
			}}.ofKinds(pfcStorm).needed(),
		integerField("class", "", 0, 7,
			"The class that it pauses, lossless at the other end of its link. Default that of the host's data.",
			func(f *faultDraft) *int { return &f.class }).ofKinds(pfcStorm),
		instantField("from", "", "0s", "1000s", "When its first XOFF is due.",
			func(f *faultDraft) *unit.Time { return &f.from }).ofKinds(pfcStorm).needed(),
		instantField("to", "", "0s", "1000s", "When its XON is due. Default never.",
			func(f *faultDraft) *unit.Time { return &f.to }).ofKinds(pfcStorm),
	},
	check: func(r *reader, n *node, fault *faultDraft) {
		if fault.kind == "" {
			fault.kind = faultKind(n)
		}
		if fault.kind == pfcStorm {
			if fault.to <= fault.from {
				r.add(n.Where("to"), "to is %v, from %v: allowed is an end after the beginning", fault.to, fault.from)
			}
			if fault.to <= fault.from || n.Child("from") == nil || n.Child("class") != nil && fault.class < 0 {
				fault.host = "" // refused, so no storm of it is made
			}
			return
		}
		fault.lost, fault.corrupted, fault.cut = n.Child("loss") != nil, n.Child("ber") != nil, n.Child("down") != nil
		up := n.Child("up") != nil
		if n.Child("frames") != nil && !fault.lost {
			r.add(n.Where("frames"), "frames without loss: write the probability with which frames are lost")
		}
		if n.Child("toward") != nil && !fault.lost && !fault.corrupted {
			r.add(n.Where("toward"), "toward without loss or ber: write the probability with which frames are lost")
		}
		switch {
		case up && !fault.cut:
			r.add(n.Where("up"), "up without down: write when the link goes down")
		case !fault.lost && !fault.corrupted && !fault.cut:
			r.add(n.At, "fault does nothing: allowed is loss, ber, or down with or without up")
		case up && fault.up <= fault.down:
			r.add(n.Where("up"), "up is %v, down %v: allowed is an end after the beginning", fault.up, fault.down)
		case fault.cut && !up:
			fault.up = unit.Never
		}
	},
}
