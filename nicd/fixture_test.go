package nicd

import (
	"cmp"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const (
	ns = unit.Nanosecond
	us = unit.Microsecond
	ms = unit.Millisecond
)

func at(d unit.Duration) unit.Time { return unit.Time(d) }

// script is an algorithm that a test writes: handle sees each event, data each
// packet.
type script struct {
	signals cc.Signals
	handle  func(e *cc.Event, d *cc.Decision)
	data    func(a *cc.Arrival, fb *cc.Feedback)
	group   func(g cc.Group)
}

func (s *script) Signals() cc.Signals          { return s.signals }
func (s *script) NewSender(cc.Facts) cc.Sender { return s }
func (s *script) String() string               { return "script" }
func (s *script) Group(g cc.Group)             { call(s.group, g) }
func (s *script) NewReceiver(cc.Facts) cc.Receiver {
	if s.data == nil {
		return nil
	}
	return s
}
func (s *script) Handle(e *cc.Event, d *cc.Decision) {
	if s.handle != nil {
		s.handle(e, d)
	}
}
func (s *script) Data(a *cc.Arrival, fb *cc.Feedback) { s.data(a, fb) }

func call(f func(cc.Group), g cc.Group) {
	if f != nil {
		f(g)
	}
}

// decide answers the start event with a decision and nothing else.
func decide(d cc.Decision) *script {
	return &script{handle: func(e *cc.Event, out *cc.Decision) {
		if e.Kind == cc.EventStart {
			*out = d
		}
	}}
}

var channel = fabric.Channel{Rate: 100 * unit.Gbps, Latency: us}

// config is the configuration of a NIC at a link of 100 Gb/s and 1 us. It obeys pauses at once if the profile has the
// default.
func config(name string, link fabric.LinkID, ip uint32, p profile.NIC) Config {
	if p.PauseResponse == profile.ByRate {
		p.PauseResponse = 0
	}
	return Config{
		Name:       name,
		ID:         uint32(link),
		Seed:       1,
		Profile:    p,
		IP:         ip,
		MAC:        wire.NodeMAC(uint32(link), 0),
		Attachment: fabric.Attachment{Link: link, Tx: channel, Rx: channel},
	}
}

// pair is two NICs back to back: a sends on link 0, b on link 1.
type pair struct {
	t    testing.TB
	a, b *NIC
	out  *fabric.Outbox
	hash [2]trace.Hash
	// next are the times that the NICs reported; cut, if set, gives the
	// length of each window.
	next [2]unit.Time
	cut  func() unit.Duration
	// touch sees each frame between the NICs and may change it; false loses
	// it.
	touch func(link fabric.LinkID, start unit.Time, f *wire.Frame) bool
	log   []line
	lost  int
}

func newPair(t testing.TB, p profile.NIC) *pair {
	t.Helper()
	return pairOf(t, config("a", 0, 1, p), config("b", 1, 2, p))
}

func pairOf(t testing.TB, a, b Config) *pair {
	return &pair{t: t, a: New(a), b: New(b), out: fabric.NewOutbox(2, []uint8{0, 1})}
}

// flow describes a flow from a to b; zero fields take the defaults below.
type flow struct {
	size, message, mtu unit.Bytes
	psn                uint32
	start, stop        unit.Time
	dscp               int
	groupN             int
	latency            unit.Duration
}

// add adds a flow from a to b and returns its QP, the same at both ends.
func (p *pair) add(f flow, c cc.Controller) uint32 {
	p.t.Helper()
	qp := FirstQP + uint32(len(p.a.qps))
	must(p.t, p.a.AddSender(*p.sender(qp, f, c)))
	must(p.t, p.b.AddReceiver(*p.receiver(qp, f, c)))
	return qp
}

// sender is the sending end of a flow at a QP.
func (p *pair) sender(qp uint32, f flow, c cc.Controller) *SenderConfig {
	path, name := fabric.PathOf(channel), fmt.Sprintf("flow%d", qp-FirstQP)
	return &SenderConfig{
		Flow:       qp - FirstQP,
		Name:       name,
		QP:         qp,
		Peer:       Peer{qp, 2, p.b.address.mac},
		SrcPort:    0xC000,
		FirstPSN:   f.psn,
		Size:       f.size,
		Message:    f.message,
		MTU:        cmp.Or(f.mtu, 1000),
		Start:      f.start,
		Stop:       f.stop,
		DSCP:       f.dscp - 1,
		Controller: c,
		Chance:     chance.New(1, name),
		Path:       path,
		Back:       path,
	}
}

// receiver is its receiving end.
func (p *pair) receiver(qp uint32, f flow, c cc.Controller) *ReceiverConfig {
	path, name := fabric.PathOf(channel), fmt.Sprintf("flow%d", qp-FirstQP)
	return &ReceiverConfig{
		Flow:              qp - FirstQP,
		Name:              name,
		QP:                qp,
		Peer:              Peer{qp, 1, p.a.address.mac},
		SrcPort:           0xC000,
		FirstPSN:          f.psn,
		Size:              f.size,
		MTU:               cmp.Or(f.mtu, 1000),
		Start:             f.start,
		Stop:              f.stop,
		Controller:        c,
		GroupN:            f.groupN,
		ControllerLatency: f.latency,
		Chance:            chance.New(1, name),
		Path:              path,
		Back:              path,
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run advances both NICs to the given time, or until nothing is pending.
func (p *pair) run(until unit.Time) {
	lookahead := p.a.attachment.Lookahead()
	nics := [2]*NIC{p.a, p.b}
	for {
		from := min(p.next[0], p.next[1])
		if from >= until {
			return
		}
		l := lookahead
		if p.cut != nil {
			l = p.cut()
		}
		horizon := min(from.Add(l), until)
		for i, n := range nics {
			p.out.Begin(i, &p.hash[i])
			p.next[i] = n.Advance(horizon, p.out)
		}
		for i, to := range [2]*NIC{p.b, p.a} {
			for _, d := range p.out.Lane(0, i) {
				if p.touch != nil && !p.touch(d.Link, d.Start, d.Frame) {
					p.lost++
					p.out.Free(d.Frame)
					continue
				}
				arrival := to.Deliver(0, d.Start, unit.Bytes(d.Length), d.Frame)
				p.next[1-i] = min(p.next[1-i], arrival)
			}
			p.out.Reset(0, i)
		}
	}
}

// record logs every frame that starts, one line each.
func (p *pair) record() {
	before := p.touch
	p.touch = func(link fabric.LinkID, start unit.Time, f *wire.Frame) bool {
		keep := before == nil || before(link, start, f)
		text := fmt.Sprintf("%s %s %s", picoseconds(start), [2]string{"a", "b"}[link], describe(f))
		if !keep {
			text += " lost"
		}
		p.log = append(p.log, line{start, text})
		return keep
	}
}

// line is a frame's start and its description.
type line struct {
	start unit.Time
	text  string
}

// picoseconds prints a time in ns with all its digits.
func picoseconds(t unit.Time) string { return fmt.Sprintf("%d.%03d", t/1000, t%1000) }

func describe(f *wire.Frame) string {
	if f.IsPFC() {
		return fmt.Sprintf("PFC classes %08b quanta %d", f.ClassEnable, f.Pause)
	}
	switch f.Opcode {
	case wire.Acknowledge:
		if f.Syndrome == wire.SyndromeNAKSequence {
			return fmt.Sprintf("NAK %d msn %d", f.PSN, f.MSN)
		}
		if f.Extension() == wire.ExtSelective {
			return fmt.Sprintf("ACK %d msn %d keeps %b from %d on", f.PSN, f.MSN, f.ExtTime, f.ExtA)
		}
		return fmt.Sprintf("ACK %d msn %d", f.PSN, f.MSN)
	case wire.CNP:
		return fmt.Sprintf("CNP qp %#x", f.DestQP)
	}
	s := map[wire.Opcode]string{wire.WriteFirst: "First", wire.WriteMiddle: "Middle", wire.WriteLast: "Last",
		wire.WriteOnly: "Only"}[f.Opcode]
	s = fmt.Sprintf("%s %d len %d", s, f.PSN, f.PayloadLen)
	if f.AckExt&wire.AckReq != 0 {
		s += " ackreq"
	}
	return s
}

// wantLog compares the log with the lines of want.
func (p *pair) wantLog(want string) {
	p.t.Helper()
	sort.SliceStable(p.log, func(i, j int) bool { return p.log[i].start < p.log[j].start })
	var lines []string
	for _, l := range p.log {
		lines = append(lines, l.text)
	}
	got := strings.Join(lines, "\n")
	want = strings.TrimSpace(strings.ReplaceAll(want, "\t", ""))
	if got != want {
		p.t.Errorf("transcript:\n%s\n\nwant:\n%s", got, want)
	}
}

// lone is one NIC whose peer is the test.
type lone struct {
	t    testing.TB
	n    *NIC
	out  *fabric.Outbox
	hash trace.Hash
}

func newLone(t testing.TB, c Config) *lone {
	l := &lone{t: t, n: New(c), out: fabric.NewOutbox(1, make([]uint8, 8))}
	l.out.Begin(0, &l.hash)
	return l
}

func (l *lone) send(size, message unit.Bytes, c cc.Controller) uint32 {
	l.t.Helper()
	qp := FirstQP + uint32(len(l.n.qps))
	path := fabric.PathOf(channel, channel)
	must(l.t, l.n.AddSender(SenderConfig{
		Name:       fmt.Sprint("flow", qp),
		QP:         qp,
		Peer:       Peer{QP: 0x99, IP: 9},
		SrcPort:    0xC001,
		Size:       size,
		Message:    message,
		MTU:        1000,
		DSCP:       -1,
		Controller: c,
		Path:       path,
		Back:       path,
		Hops:       1,
	}))
	return qp
}

func (l *lone) receive(c cc.Controller) uint32 {
	l.t.Helper()
	qp := FirstQP + uint32(len(l.n.qps))
	path := fabric.PathOf(channel, channel)
	must(l.t, l.n.AddReceiver(ReceiverConfig{
		Name:       fmt.Sprint("flow", qp),
		QP:         qp,
		Peer:       Peer{QP: 0x99, IP: 9},
		SrcPort:    0xC001,
		MTU:        1000,
		Controller: c,
		Path:       path,
		Back:       path,
	}))
	return qp
}

// arrive delivers a frame so that its last bit arrives at the given time.
func (l *lone) arrive(at unit.Time, f wire.Frame) {
	c := f
	l.n.queue.Arrive(0, at, c.Len(), &c)
}

func (l *lone) ack(at unit.Time, qp, psn uint32) { l.arrive(at, ackFrame(qp, psn, wire.SyndromeACK)) }
func (l *lone) nak(at unit.Time, qp, psn uint32) {
	l.arrive(at, ackFrame(qp, psn, wire.SyndromeNAKSequence))
}

func ackFrame(qp, psn uint32, syndrome uint8) wire.Frame {
	return wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     9,
		DstIP:     1,
		Opcode:    wire.Acknowledge,
		DestQP:    qp,
		PSN:       psn,
		Syndrome:  syndrome,
		TOS:       48 << 2,
	}
}

// cnpFrame is a CNP from an address; 9 is the peer's.
func cnpFrame(source, qp uint32) wire.Frame {
	return wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     source,
		DstIP:     1,
		Opcode:    wire.CNP,
		DestQP:    qp,
	}
}

func (l *lone) pause(at unit.Time, class int, quanta uint16) {
	var f wire.Frame
	f.SetPFC(wire.MAC{}, class, quanta)
	l.arrive(at, f)
}

func (l *lone) data(at unit.Time, qp, psn uint32, op wire.Opcode, ecn uint8) {
	f := wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     9,
		DstIP:     1,
		Opcode:    op,
		DestQP:    qp,
		PSN:       psn,
		TOS:       26<<2 | ecn,
		TTL:       63,
		AckExt:    wire.AckReq,
	}
	f.SetPayload(1000)
	l.arrive(at, f)
}

// run advances to the given time and returns what started since the last run.
func (l *lone) run(until unit.Time) []fabric.Departure {
	l.n.Advance(until, l.out)
	sent := append([]fabric.Departure(nil), l.out.Lane(0, 0)...)
	l.out.Reset(0, 0)
	return sent
}

// wantSent compares starts and descriptions.
func (l *lone) wantSent(until unit.Time, want ...string) {
	l.t.Helper()
	var got []string
	for _, d := range l.run(until) {
		got = append(got, picoseconds(d.Start)+" "+describe(d.Frame))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		l.t.Errorf("sent:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// senderText is all of a record, except its series; the room of histograms does not count.
func senderText(s record.Sender) string {
	extra, swing := *s.SenderExtra, record.Swing{}
	swing.Merge(extra.Swing)
	s.SenderExtra, extra.Swing = nil, nil
	samples := histogramText(&s.RTT) + histogramText(&s.Sampled)
	s.RTT, s.Sampled = record.Histogram{}, record.Histogram{}
	return fmt.Sprintf("%+v %+v %+v %s", s, extra, swing, samples)
}

// receiverText is all of a record.
func receiverText(r record.Receiver) string {
	extra := *r.ReceiverExtra
	r.ReceiverExtra = nil
	samples := histogramText(&extra.Queueing)
	extra.Queueing = record.Histogram{}
	return fmt.Sprintf("%+v %+v %s", r, extra, samples)
}

// histogramText is all of a histogram except its room.
func histogramText(h *record.Histogram) string {
	h.Trim()
	text, _ := h.MarshalBinary()
	return fmt.Sprintf("%x ", text)
}
