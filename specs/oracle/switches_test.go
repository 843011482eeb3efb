package oracle

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// identity is the part of a frame that switches do not change.
type identity struct {
	src, dst, qp, psn, msn uint32
	opcode                 wire.Opcode
	syndrome               uint8
	port, payload          uint16
	time                   uint64
	body                   string
}

func identityOf(f *wire.Frame) identity {
	id := identity{f.SrcIP, f.DstIP, f.DestQP, f.PSN, f.MSN, f.Opcode, f.Syndrome, f.SrcPort, f.PayloadLen, f.ExtTime, ""}
	switch {
	case f.IsOpaque():
		id.body = string(f.Rare.Raw[34:]) // behind the headers, in which switches change a byte or two
		id.psn = uint32(f.ID)
	case f.Rare != nil:
		id.body = string(f.Rare.Payload)
	}
	return id
}

// visit is a frame's stay in a switch.
type visit struct {
	came  *wire.Frame // as it came in
	at    unit.Time
	in    int
	left  *wire.Frame // as it left or was dropped; nil while it is inside
	until unit.Time
	// out is the port through which it leaves; -1 for a frame refused on arrival.
	out int
	// dropped is set if it did not leave through a link.
	dropped bool
	class   uint8
	queue   int
	length  int64
}

// leaving is a frame that a switch sent or dropped, in the order in which it did; visit is nil for one that it made
// itself.
type leaving struct {
	visit *visit
	when  unit.Time
	out   int
}

// refused reports whether the frame was thrown away as it came.
func (v *visit) refused() bool { return v.dropped && v.until == v.at }

// stay is the frames of one switch.
type stay struct {
	place    int // among the plan's switches
	visits   []*visit
	leavings []leaving
	// made are the frames that the switch made itself, except PFC.
	made []*wire.Frame
	// paused are the instants and ports at which PFC frames came in.
	paused map[arrivalAt]bool
}

// stayAt lists the frames of a switch by their first and last instant there: what came in by a link against what
// left by one.
func (s *seen) stayAt(place int) *stay {
	node, settings := s.plan.SwitchNode(place), &s.plan.Switches[place].Profile
	st := &stay{place: place, paused: map[arrivalAt]bool{}}
	for _, h := range s.comes[node] {
		if !h.delivered {
			continue
		}
		if h.frame.IsPFC() {
			st.paused[arrivalAt{h.to, h.arrival}] = true
			continue
		}
		class := settings.ClassOf[h.frame.TOS>>2]
		st.visits = append(st.visits, &visit{
			came:   h.frame,
			at:     h.arrival,
			in:     h.to.Port,
			out:    -1,
			until:  unit.Never,
			class:  class,
			queue:  int(settings.QueueOf[class]),
			length: int64(h.frame.Len()),
		})
	}
	slices.SortStableFunc(st.visits, func(a, b *visit) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.in, b.in))
	})
	waiting := map[identity][]*visit{}
	for _, v := range st.visits {
		waiting[identityOf(v.came)] = append(waiting[identityOf(v.came)], v)
	}
	for _, o := range s.outOf(node) {
		st.leave(waiting, o)
	}
	return st
}

// outgoing is a hop or a drop at a node.
type outgoing struct {
	*hop
	*drop
	order int
}

// outOf lists what a node sent and dropped, in its order; what a link lost never was at the node.
func (s *seen) outOf(node plan.NodeID) (list []outgoing) {
	for _, h := range s.goes[node] {
		if !h.frame.IsPFC() {
			list = append(list, outgoing{h, nil, h.order})
		}
	}
	for i := range s.drops {
		if d := &s.drops[i]; d.at.Node == node && !d.reason.IsLinkLoss() {
			list = append(list, outgoing{nil, d, d.order})
		}
	}
	slices.SortFunc(list, func(a, b outgoing) int { return cmp.Compare(a.order, b.order) })
	return list
}

// leave finds whose stay ends with what left: of equal frames the first that came, or one that was refused as it
// came.
func (st *stay) leave(waiting map[identity][]*visit, o outgoing) {
	frame, when, out := (*wire.Frame)(nil), unit.Time(0), -1
	if o.hop != nil {
		frame, when, out = o.hop.frame, o.hop.start, o.hop.from.Port
	} else {
		frame, when = o.drop.frame, o.drop.when
	}
	list := waiting[identityOf(frame)]
	if len(list) == 0 || list[0].at > when {
		if o.drop != nil {
			panic(fmt.Sprintf("a switch dropped %v at %v, and it never came", frame, when))
		}
		st.made = append(st.made, frame)
		st.leavings = append(st.leavings, leaving{nil, when, out})
		return
	}
	i := 0
	if o.drop != nil {
		refused := slices.IndexFunc(list, func(v *visit) bool { return v.at == when && v.in == o.drop.at.Port })
		i = max(0, refused)
	}
	v := list[i]
	waiting[identityOf(frame)] = slices.Delete(list, i, i+1)
	v.left, v.until, v.out, v.dropped = frame, when, out, o.drop != nil
	st.leavings = append(st.leavings, leaving{v, when, out})
}

// finishVisits finds the ports of frames that did not leave through one: the port through which others of their flow
// left, or the only one that leads to their NIC.
func (s *seen) finishVisits(st *stay) {
	sw, ways := &s.plan.Switches[st.place], s.waysOf()
	// A message that did not go on was for the switch itself.
	st.visits = slices.DeleteFunc(st.visits, func(v *visit) bool { return v.left == nil && v.came.IsDatagram() })
	for _, v := range st.visits {
		if v.out >= 0 {
			continue
		}
		if v.out = s.only(sw, v.came.DstIP); v.out >= 0 {
			continue
		}
		going := way{s.plan.SwitchNode(st.place), v.came.SrcIP, v.came.DstIP, v.came.SrcPort}
		out, known := ways[going]
		if !known {
			out, known = s.probed().waysOf()[going]
		}
		if !known && !v.refused() {
			panic(fmt.Sprintf("nobody knows where %s sends %v", sw.Name, v.came))
		}
		if v.out = -1; known {
			v.out = out
		}
	}
}

// only is the only port that leads to an address, -1 if there are several.
func (s *seen) only(sw *plan.Switch, ip uint32) int {
	ports := sw.NextHops[sw.Routes[ip-plan.FirstIP]]
	if len(ports) == 1 {
		return int(ports[0])
	}
	return -1
}

// isLossless reports whether PFC protects a class at a switch's ports.
func isLossless(p *profile.Switch, class uint8) bool { return p.PFC.Enabled && p.PFC.Lossless[class] }

// isData reports whether a queue has frames of another than a control class.
func isData(p *profile.Switch, queue int) bool {
	for class, q := range p.QueueOf {
		if int(q) == queue && !p.Control[class] {
			return true
		}
	}
	return false
}

// attachments returns a switch's links as it knows them.
func (s *seen) attachments(place int) []fabric.Attachment {
	node := s.plan.Node(s.plan.SwitchNode(place))
	return s.plan.AttachmentsOf(&node)
}
