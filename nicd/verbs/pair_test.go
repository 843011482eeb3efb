package verbs

import (
	"container/heap"
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const (
	us   = unit.Microsecond
	mtu  = 256
	room = 64 << 10
)

// ends are the configurations of two ends of one connection, QPs 0x11 and 0x22.
func ends() (a, b peer.Config) {
	a = peer.Config{
		MTU:         mtu,
		PeerQP:      0x22,
		FirstPSN:    0xFFFFF0, // wraps after 16 packets
		PeerPSN:     5,
		Memory:      peer.Region{RKey: 0x1101, VA: 0x1000, Length: room},
		Peer:        peer.Region{RKey: 0x2201, VA: 0x7f0000001003, Length: room},
		Receives:    8,
		ReceiveSize: 4096,
		RNRTimer:    1,
		Window:      16,
		Reads:       4,
		Timeout:     500 * us,
		Seed:        1,
	}
	b = a
	b.PeerQP, b.FirstPSN, b.PeerPSN = 0x11, a.PeerPSN, a.FirstPSN
	b.Memory, b.Peer = a.Peer, a.Memory
	b.Seed = 2
	return a, b
}

// pair is two ends with a link of 10 us between them; every frame on it is encoded and decoded.
type pair struct {
	t     *testing.T
	end   [2]*QP
	loss  float64
	rng   *chance.Stream
	now   unit.Time
	queue flights
	// change, if not nil, sees each frame that arrives and reports whether it is lost.
	change func(to int, f *wire.Frame) (lost bool)
	log    []string // of frames, if logs
	logs   bool
	number int
}

type flight struct {
	at     unit.Time
	number int
	to     int
	bytes  []byte
}

type flights []flight

func (q flights) Len() int { return len(q) }
func (q flights) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].number < q[j].number
}
func (q flights) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *flights) Push(x any)   { *q = append(*q, x.(flight)) }
func (q *flights) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func newPair(t *testing.T, a, b peer.Config, loss float64) *pair {
	t.Helper()
	p := &pair{t: t, loss: loss, rng: chance.New(7, "loss")}
	for i, c := range []peer.Config{a, b} {
		q, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		p.end[i] = q
	}
	return p
}

// collect puts what an end sends on its way.
func (p *pair) collect(from int) {
	qp := [2]uint32{0x22, 0x11}[from]
	for _, f := range p.end[from].Out() {
		f.EtherType, f.DestQP, f.TTL, f.PKey = wire.EtherTypeIPv4, qp, 64, wire.DefaultPKey
		p.number++
		heap.Push(&p.queue, flight{p.now.Add(10 * us), p.number, 1 - from, f.AppendTo(nil)})
	}
}

// run runs until nothing is left to do, or until a limit.
func (p *pair) run(limit unit.Time) {
	for i := range p.end {
		p.end[i].Advance(0)
		p.collect(i)
	}
	for {
		at := min(p.end[0].Next(), p.end[1].Next())
		if len(p.queue) > 0 {
			at = min(at, p.queue[0].at)
		}
		if at > limit {
			return
		}
		p.now = max(p.now, at)
		if len(p.queue) == 0 || p.queue[0].at > p.now {
			for i := range p.end {
				if p.end[i].Next() <= p.now {
					p.end[i].Advance(p.now)
					p.collect(i)
				}
			}
			continue
		}
		p.arrive(heap.Pop(&p.queue).(flight))
	}
}

func (p *pair) arrive(x flight) {
	var f wire.Frame
	if err := wire.Decode(x.bytes, &f); err != nil {
		p.t.Fatal(err)
	}
	if p.loss > 0 && p.rng.Float64() < p.loss || p.change != nil && p.change(x.to, &f) {
		return
	}
	if p.logs {
		line := fmt.Sprintf("%d %v %d", x.to, f.Opcode, wire.DiffPSN(f.PSN, 0xFFFFF0)) // of what end 0 begins
		switch {
		case f.Opcode == wire.Acknowledge:
			line = fmt.Sprintf("%d %#x %d msn %d", x.to, f.Syndrome, wire.DiffPSN(f.PSN, 0xFFFFF0), f.MSN)
		case f.Opcode.Headers()&wire.HasAETH != 0:
			line += fmt.Sprintf(" msn %d", f.MSN)
		}
		p.log = append(p.log, line)
	}
	p.end[x.to].Take(p.now, &f)
	p.collect(x.to)
}

// expectWhole insists that both ends completed all work, and that every byte is where it belongs.
func (p *pair) expectWhole() (a, b Record) {
	p.t.Helper()
	a, b = p.end[0].Record(), p.end[1].Record()
	for i, r := range [2][2]Record{{a, b}, {b, a}} {
		own, far := r[0], r[1]
		switch {
		case own.Status != Success || own.ReadErrors != 0 || own.Refused != 0:
			p.t.Errorf("end %d: %+v", i, own)
		case own.SentSum != far.ReceivedSum:
			p.t.Errorf("end %d sent messages %s, the other received %s", i, own.SentSum, far.ReceivedSum)
		}
	}
	return a, b
}
