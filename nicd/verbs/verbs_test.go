package verbs

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const longRun = unit.Time(1000 * unit.Second)

// zero gives an end memory that begins as zeros, as a peer's does, so that the other's shadow can be compared.
func zero(q *QP) { clear(q.responder.memory) }

// Every verb in both directions, of every length from 0 to 3 MTU, without loss and with: all complete, each byte
// is where it belongs, and nothing is served twice. PSNs wrap.
func TestVerbsOfEveryLength(t *testing.T) {
	for _, loss := range []float64{0, 0.001, 0.01} {
		for verb := peer.Write; verb <= peer.Read; verb++ {
			t.Run(fmt.Sprintf("%v with loss %g", verb, loss), func(t *testing.T) {
				a, b := ends()
				step := []peer.Work{{Verb: verb, To: 3 * mtu, Count: 1}}
				a.Work, b.Work = step, step
				p := newPair(t, a, b, loss)
				zero(p.end[0])
				zero(p.end[1])
				p.run(longRun)
				ra, rb := p.expectWhole()
				if ra.Completed != 3*mtu+1 || rb.Completed != 3*mtu+1 {
					t.Errorf("%d and %d messages, want %d", ra.Completed, rb.Completed, 3*mtu+1)
				}
				if ra.ShadowSum != rb.MemorySum || rb.ShadowSum != ra.MemorySum {
					t.Error("memory differs from its shadow at the other end")
				}
				if again := ra.Resent + rb.Resent; again > 0 != (loss > 0) {
					t.Errorf("%d packets were sent again", again)
				}
			})
		}
	}
}

// Random verbs of both ends at once, with loss.
func TestRandomVerbs(t *testing.T) {
	for _, loss := range []float64{0, 0.001, 0.01} {
		a, b := ends()
		a.Receives, b.Receives = 2, 2
		a.Repost, b.Repost = 30*us, 15*us
		a.Credits = true
		a.Work = []peer.Work{{Verb: peer.Random, To: 5 * mtu, Count: 1000}}
		b.Work = a.Work
		a.ReceiveSize, b.ReceiveSize = 5*mtu, 5*mtu
		p := newPair(t, a, b, loss)
		zero(p.end[0])
		zero(p.end[1])
		p.run(longRun)
		ra, rb := p.expectWhole()
		if ra.ShadowSum != rb.MemorySum || rb.ShadowSum != ra.MemorySum {
			t.Error("memory differs from its shadow at the other end")
		}
		if rb.SentRNR == 0 || ra.ReceivedRNR == 0 || ra.ReceivedRNR > rb.SentRNR {
			t.Errorf("RNR: %d sent, %d received", rb.SentRNR, ra.ReceivedRNR)
		}
		if loss == 0 && (ra.OutOfSeqRequest+rb.OutOfSeqRequest+ra.Retries+rb.Retries != 0) {
			t.Errorf("without loss: %+v %+v", ra.Counters, rb.Counters)
		}
		if loss == 0 && rb.ReceivedRNR >= ra.ReceivedRNR {
			t.Errorf("credits hold %d of %d requests back", rb.ReceivedRNR, ra.ReceivedRNR)
		}
	}
}

// Only responses acknowledge a READ: an ACK never has the PSN of one, no matter which packets are lost and sent again.
func TestAcksNameNoRead(t *testing.T) {
	a, b := ends()
	a.Work = []peer.Work{{Verb: peer.Random, To: 3 * mtu, Count: 1000}}
	b.Work = a.Work
	a.ReceiveSize, b.ReceiveSize = 3*mtu, 3*mtu
	p := newPair(t, a, b, 0.02)
	zero(p.end[0])
	zero(p.end[1])
	reads := [2]map[uint32]bool{{}, {}} // PSNs of READs to each end
	p.change = func(to int, f *wire.Frame) bool {
		switch {
		case f.Opcode == wire.ReadRequest:
			for i := range packetsOf(uint64(f.DMALen), mtu) {
				reads[to][wire.AddPSN(f.PSN, int(i))] = true
			}
		case f.Opcode == wire.Acknowledge && f.Syndrome>>5 == 0 && reads[1-to][f.PSN]:
			t.Fatalf("an ACK has the PSN %#x of a READ", f.PSN)
		}
		return false
	}
	p.run(longRun)
	if ra, rb := p.expectWhole(); ra.DuplicateRequest == 0 || rb.DuplicateRequest == 0 {
		t.Errorf("too little is lost: %+v %+v", ra.Counters, rb.Counters)
	}
}

// A READ that brings other bytes than were written there is found.
func TestContentsAreCompared(t *testing.T) {
	a, b := ends()
	a.Work = []peer.Work{{Verb: peer.Write, Length: 1000, Count: 1}, {Verb: peer.Read, Length: 1000, Count: 2}}
	p := newPair(t, a, b, 0)
	zero(p.end[1])
	p.end[1].responder.memory[1500] ^= 1 // of the second READ
	p.run(longRun)
	if r := p.end[0].Record(); r.ReadErrors != 1 || r.Status != Success {
		t.Errorf("%+v", r)
	}
	want := make([]byte, 1000)
	for i := range 4 {
		wire.Pattern(0x22, wire.AddPSN(0xFFFFF0, i), want[i*mtu:min(1000, (i+1)*mtu)])
	}
	if !bytes.Equal(p.end[1].responder.memory[:1000], want) {
		t.Error("a WRITE is not the pattern of its packets")
	}
	if got := Initial(peer.Region{RKey: 9, Length: 3}); len(got) != 3 {
		t.Error(got)
	}
}

// What a responder refuses, and the status that the requester's work ends with (IBA volume 1, 9.7.4 and 9.7.5.2).
func TestRefusals(t *testing.T) {
	for _, x := range []struct {
		name   string
		work   peer.Work
		change func(b *peer.Config)
		want   string
		status Status
	}{
		{"an atomic", peer.Work{Verb: peer.FetchAdd, Length: 8}, nil, "0x61 0", RemoteInvalidRequest},
		{"a WRITE with another key", peer.Work{Verb: peer.Write, Length: 8, RKey: 7}, nil, "0x62 0", RemoteAccess},
		{"a WRITE of nothing with another key", peer.Work{Verb: peer.Write, RKey: 7}, nil, "0x1f 0", Success},
		{"a READ with another key", peer.Work{Verb: peer.Read, Length: 8, RKey: 7}, nil, "0x62 0", RemoteAccess},
		{"a WRITE to behind the region", peer.Work{Verb: peer.Write, Length: 8, Offset: room - 7}, nil, "0x62 0",
			RemoteAccess},
		{"to its end", peer.Work{Verb: peer.Write, Length: 8, Offset: room - 8}, nil, "0x1f 0", Success},
		{"a READ from before it", peer.Work{Verb: peer.Read, Length: 8, Offset: 1<<64 - 1}, nil, "0x62 0", RemoteAccess},
		{"a SEND longer than its receive", peer.Work{Verb: peer.Send, Length: 9},
			func(b *peer.Config) { b.ReceiveSize = 8 }, "0x61 0", RemoteInvalidRequest},
		{"a SEND that is too long in its second packet", peer.Work{Verb: peer.Send, Length: 300},
			func(b *peer.Config) { b.ReceiveSize = 299 }, "0x61 1", RemoteInvalidRequest},
		{"a SEND to a malformed receive", peer.Work{Verb: peer.Send, Length: 9},
			func(b *peer.Config) { b.ReceiveSize = room + 1 }, "0x63 0", RemoteOperational},
		{"a SEND without a receive", peer.Work{Verb: peer.Send, Length: 9}, func(b *peer.Config) { b.Receives = 0 },
			"0x21 0", Unfinished},
		{"a WRITE with immediate without a receive", peer.Work{Verb: peer.WriteImm, Length: 300},
			func(b *peer.Config) { b.Receives = 0 }, "0x21 1", Unfinished},
	} {
		t.Run(x.name, func(t *testing.T) {
			a, b := ends()
			x.work.Count = 1
			a.Work = []peer.Work{x.work}
			if x.change != nil {
				x.change(&b)
			}
			p := newPair(t, a, b, 0)
			p.logs = true
			p.run(unit.Time(25 * us))
			at := slices.IndexFunc(p.log, func(line string) bool { return strings.HasPrefix(line, "0 0x") })
			if at < 0 || !strings.HasPrefix(p.log[at], "0 "+x.want+" ") {
				t.Errorf("answers: %q, want %s", p.log, x.want)
			}
			if r := p.end[0].Record(); r.Status != x.status {
				t.Errorf("status %v, want %v", r.Status, x.status)
			}
			p.log = nil
			if p.run(unit.Time(3000 * us)); x.status > Success && len(p.log) > 0 {
				t.Errorf("after an error: %q", p.log)
			}
		})
	}
}

// Packets, their headers and their answers, as the tables of IBA volume 1, 9.2.1 and 9.7, have them.
func TestConversation(t *testing.T) {
	a, b := ends()
	a.Work = []peer.Work{
		{Verb: peer.Write, Length: 600, Count: 1}, {Verb: peer.WriteImm, Length: 1, Count: 1},
		{Verb: peer.SendImm, Length: 513, Count: 1},
		{Verb: peer.Read, Length: 512, Count: 1}, {Verb: peer.Read, Count: 1}, {Verb: peer.Send, Length: 256, Count: 1},
		{Verb: peer.WriteImm, Length: 257, Count: 1}, {Verb: peer.Read, Length: 513, Count: 1},
	}
	p := newPair(t, a, b, 0)
	p.logs = true
	zero(p.end[1])
	p.run(unit.Time(20_000 * us)) // a mistake may have it go on for ever
	p.expectWhole()
	var asked, answered []string
	for _, line := range p.log {
		if line[0] == '1' {
			asked = append(asked, line[2:])
		} else {
			answered = append(answered, line[2:])
		}
	}
	if got, want := strings.Join(asked, "\n"), conversation; got != want {
		t.Errorf("requests:\n%s\nwant:\n%s", got, want)
	}
	if got, want := strings.Join(answered, "\n"), answers; got != want {
		t.Errorf("answers:\n%s\nwant:\n%s", got, want)
	}
}

// A lost packet of each kind, one at a time, with the packets that are sent again.
func TestOneLoss(t *testing.T) {
	for _, x := range []struct {
		name                     string
		work                     peer.Work
		to                       int // the end that does not receive the packet
		packet                   int // which of those to it
		outOfSeq, retries, gaps  uint64
		duplicates, resent, sent uint64
	}{
		{"the first of a WRITE", peer.Work{Verb: peer.Write, Length: 4 * mtu}, 1, 0, 1, 0, 0, 0, 4, 8},
		{"a middle one", peer.Work{Verb: peer.Write, Length: 4 * mtu}, 1, 2, 1, 0, 0, 0, 2, 6},
		{"the last", peer.Work{Verb: peer.Send, Length: 4 * mtu}, 1, 3, 0, 1, 0, 3, 4, 8},
		{"the only ACK", peer.Work{Verb: peer.Send, Length: 3}, 0, 0, 0, 1, 0, 1, 1, 2},
		{"a READ request", peer.Work{Verb: peer.Read, Length: 4 * mtu}, 1, 0, 0, 1, 0, 0, 1, 2},
		{"the first response", peer.Work{Verb: peer.Read, Length: 4 * mtu}, 0, 0, 0, 0, 1, 1, 1, 2},
		{"a middle response", peer.Work{Verb: peer.Read, Length: 4 * mtu}, 0, 2, 0, 0, 1, 1, 1, 2},
		{"the last response", peer.Work{Verb: peer.Read, Length: 4 * mtu}, 0, 3, 0, 1, 0, 1, 1, 2},
	} {
		t.Run(x.name, func(t *testing.T) {
			a, b := ends()
			x.work.Count = 1
			a.Work = []peer.Work{x.work}
			p := newPair(t, a, b, 0)
			zero(p.end[1])
			count := 0
			p.change = func(to int, _ *wire.Frame) bool {
				if to != x.to {
					return false
				}
				count++
				return count-1 == x.packet
			}
			p.run(unit.Time(20_000 * us)) // a mistake may have it go on for ever
			ra, rb := p.expectWhole()
			got := []uint64{rb.OutOfSeqRequest, ra.Retries, ra.ReadGaps, rb.DuplicateRequest, ra.Resent, ra.Sent}
			if want := []uint64{x.outOfSeq, x.retries, x.gaps, x.duplicates, x.resent, x.sent}; !slices.Equal(got, want) {
				t.Errorf("out of sequence, retries, gaps, duplicates, resent, sent: %v, want %v", got, want)
			}
		})
	}
}

// Credits and times of RNR follow IBA volume 1, tables 44 and 45.
func TestCodes(t *testing.T) {
	want := []int{0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072,
		4096, 6144, 8192, 12288, 16384, 24576, 32768}
	for code, n := range want {
		if credits(uint8(code)) != n || creditCode(n) != uint8(code) {
			t.Errorf("code %d: %d credits, want %d; code of %d: %d", code, credits(uint8(code)), n, n, creditCode(n))
		}
	}
	if creditCode(5) != 4 || creditCode(1<<20) != 30 {
		t.Error(creditCode(5), creditCode(1<<20))
	}
	for code, us10 := range map[uint8]unit.Duration{0: 65536, 1: 1, 7: 12, 12: 64, 14: 128, 31: 49152} {
		if got := RNRTime(code); got != us10*10*us {
			t.Errorf("timer %d: %v", code, got)
		}
	}
}

// A configuration that cannot work is refused with the allowed values.
func TestConfigCheck(t *testing.T) {
	for text, change := range map[string]func(c *peer.Config){
		"MTU is 1000 B":        func(c *peer.Config) { c.MTU = 1000 },
		"PSNs are 0x1000000":   func(c *peer.Config) { c.FirstPSN = 1 << 24 },
		"region is 67108865 B": func(c *peer.Config) { c.Memory.Length = peer.MaxLength + 1 },
		"region is 65536 B at": func(c *peer.Config) { c.Peer.VA = 1<<64 - 5 },
		"RNR timer is 32":      func(c *peer.Config) { c.RNRTimer = 32 },
		"window is 0 packets":  func(c *peer.Config) { c.Window = 0 },
		"receives are -1":      func(c *peer.Config) { c.Receives = -1 },
	} {
		a, _ := ends()
		change(&a)
		t.Run(text, func(t *testing.T) {
			if _, err := New(a); err == nil || !strings.Contains(err.Error(), text) {
				t.Error(err)
			}
		})
	}
	for mtu, want := range map[int]int{255: 0, 256: 256, 1000: 512, 1024: 1024, 9000: 4096} {
		if got := peer.PathMTU(mtu); got != want {
			t.Errorf("path MTU of %d: %d", mtu, got)
		}
	}
}
