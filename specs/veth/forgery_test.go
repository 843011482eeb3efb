package veth

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// forger is a man in the middle who puts another frame of the same length in the
// place of one that passes.
type forger struct {
	// chosen selects the frames that he is after; he forges the one of number at.
	chosen func(*wire.Frame) bool
	at     int
	forge  func(frame []byte) []byte

	seen   int
	first  []byte // of the chosen
	forged bool
}

func (m *forger) tamper(_ int, frame []byte) int {
	var f wire.Frame
	if m == nil || wire.Decode(frame, &f) != nil || !m.chosen(&f) {
		return 1
	}
	if m.seen++; m.seen == 1 {
		m.first = bytes.Clone(frame)
	}
	if m.seen == m.at {
		forged := m.forge(frame)
		m.forged = len(forged) == len(frame)
		copy(frame, forged)
	}
	return 1
}

// said is the frame of another message, checksums mended.
func said(frame []byte, change func(f *wire.Frame, m *notification.Message)) []byte {
	return reencoded(frame, func(f *wire.Frame) {
		m := messageIn(frame)
		change(f, m)
		f.SetDatagram(m.AppendTo(nil))
	})
}

// withBadFields is a message with one byte replaced, checksum mended.
func withBadFields(at int, value byte) func([]byte) []byte {
	return func(frame []byte) []byte {
		return reencoded(frame, func(f *wire.Frame) {
			payload := bytes.Clone(f.Rare.Payload)
			payload[at] = value
			f.SetDatagram(payload)
		})
	}
}

func reencoded(frame []byte, change func(*wire.Frame)) []byte {
	var f wire.Frame
	if err := wire.Decode(frame, &f); err != nil {
		panic(err)
	}
	change(&f)
	return f.AppendTo(nil)
}

var _ = Describe("a notification that is not what it should be", Label("veth", "proximal"), Ordered,
	ContinueOnFailure, func() {
		var p *plan.Plan
		var want *lab.Run
		var fibre, host *forger // on the link of the path to s0, and on that of h0
		var b *veth.Testbed

		BeforeAll(func() {
			p = lab.Plans(told)[0]
			want = inMemory(p)
			number, _ := linkOf(p, 0)
			b = deploy(p, veth.Config{})
			tamperWith(b, p.Switches[near].Links[2], func(d int, frame []byte) int { return fibre.tamper(d, frame) })
			tamperWith(b, number, func(d int, frame []byte) int { return host.tamper(d, frame) })
		})
		BeforeEach(func() { fibre, host = nil, nil })

		// counters are the row of s0 in proximal_counters.csv, and firstReaction
		// when it first sent CNPs.
		counters := func(r *lab.Run) map[string]string { return sheet(r, "proximal_counters.csv")[near] }
		firstReaction := func(r *lab.Run) unit.Time {
			for _, a := range r.Switches[near].Proximal.Actions {
				if a.Kind == record.ProximalReact {
					return a.At
				}
			}
			return unit.Never
		}

		// ignored runs with a forger, and insists that s0 ignored n messages, or flows in them, for that reason and no
		// other but the usual, that it followed all others, and that the run came to its end.
		ignored := func(m *forger, reason record.ProximalIgnored, n int) *lab.Run {
			GinkgoHelper()
			r := runOn(b, p, veth.Options{})
			Expect(m.forged).To(BeTrue())
			Expect(r.Summary.Incomplete).To(BeZero())
			c := counters(r)
			for i, name := range record.ProximalIgnoredNames {
				if i := record.ProximalIgnored(i); i == reason {
					Expect(c["ignored_"+name]).To(Equal(fmt.Sprint(n)), name)
				} else if i != record.IgnoredHeld {
					Expect(c["ignored_"+name]).To(Equal("0"), name)
				}
			}
			return r
		}

		DescribeTable("is counted, has no effect, and the run goes on",
			func(reason record.ProximalIgnored, n int, forge func([]byte) []byte) {
				fibre = &forger{chosen: isMessage, at: 1, forge: forge}
				r := ignored(fibre, reason, n)
				// The next message, an interval later, is the first that s0 acts on.
				Expect(firstReaction(r).Sub(firstReaction(want))).To(BeNumerically("~", 50*unit.Microsecond, unit.Microsecond))
			},
			Entry("with another magic number", record.IgnoredMalformed, 1, withBadFields(1, 0x53)),
			Entry("of another version", record.IgnoredMalformed, 1, withBadFields(2, 2)),
			Entry("of a type that there is not", record.IgnoredMalformed, 1, withBadFields(3, 5)),
			Entry("with fewer flows than it has room for", record.IgnoredMalformed, 1, withBadFields(23, 1)),
			Entry("with more flows than there may be", record.IgnoredMalformed, 1, withBadFields(23, 9)),
			Entry("with a class that there is not", record.IgnoredMalformed, 1, withBadFields(22, 8)),
			Entry("with a QP of 32 bits", record.IgnoredMalformed, 1, withBadFields(notification.HeaderLen+8, 1)),
			Entry("of fewer flows in the queue than it names", record.IgnoredMalformed, 1, func(frame []byte) []byte {
				return said(frame, func(_ *wire.Frame, m *notification.Message) { m.Live = 1 })
			}),
			Entry("of all zeros", record.IgnoredMalformed, 1, func(frame []byte) []byte {
				return reencoded(frame, func(f *wire.Frame) { f.SetDatagram(make([]byte, f.PayloadLen)) })
			}),
			Entry("of a switch that there is not", record.IgnoredSpoofed, 1, func(frame []byte) []byte {
				return said(frame, func(f *wire.Frame, m *notification.Message) { m.Origin, f.SrcIP = 9, plan.FirstLoopback+9 })
			}),
			Entry("that names another switch than its source", record.IgnoredSpoofed, 1, func(frame []byte) []byte {
				return said(frame, func(_ *wire.Frame, m *notification.Message) { m.Origin = near })
			}),
			Entry("from the address of a NIC", record.IgnoredSpoofed, 1, func(frame []byte) []byte {
				return said(frame, func(f *wire.Frame, _ *notification.Message) { f.SrcIP = plan.FirstIP })
			}),
			Entry("from the future", record.IgnoredStale, 1, func(frame []byte) []byte {
				return said(frame, func(_ *wire.Frame, m *notification.Message) { m.Time = m.Time.Add(unit.Second) })
			}),
			Entry("older than its lifetime", record.IgnoredStale, 1, func(frame []byte) []byte {
				return said(frame, func(_ *wire.Frame, m *notification.Message) { m.Lifetime = 99 * unit.Microsecond })
			}),
			Entry("about two flows that there are not", record.IgnoredUnknownFlow, 2, func(frame []byte) []byte {
				return said(frame, func(_ *wire.Frame, m *notification.Message) {
					m.Flows[0].DstQP, m.Flows[1].DstQP = 0x111, 0x112
				})
			}),
			Entry("about two senders elsewhere", record.IgnoredUnknownFlow, 2, func(frame []byte) []byte {
				return said(frame, func(_ *wire.Frame, m *notification.Message) {
					m.Flows[0].SrcIP, m.Flows[1].SrcIP = p.NICs[2].IP, p.NICs[2].IP+1
				})
			}),
		)

		It("but came before is counted as a replay", func() {
			fibre = &forger{chosen: isMessage, at: 2, forge: func([]byte) []byte { return fibre.first }}
			r := ignored(fibre, record.IgnoredReplayed, 1)
			Expect(firstReaction(r)).To(Equal(firstReaction(want)))
			Expect(counters(r)["received_congestion"]).To(
				Equal(fmt.Sprint(r.Switches[far].Proximal.Sent[notification.Congestion] - 1)))
		})

		DescribeTable("but comes from a host's port goes no further", func(to uint32) {
			// The last packet of h0 gives its place to a message of s1 about the flow
			// of h1, all of which is true; h0 has to send that packet again.
			next := messageIn(inMemoryAt(p, toFar, pcapng.Inbound, isMessage)[0].Bytes)
			next.Sequence, next.Count = 1000, 1
			host = &forger{at: 1,
				chosen: func(f *wire.Frame) bool { return f.IsData() && f.PayloadLen == 68 },
				forge: func(frame []byte) []byte {
					return reencoded(frame, func(f *wire.Frame) {
						f.SrcIP, f.DstIP, f.TOS, f.SrcPort = plan.FirstLoopback+far, plan.FirstLoopback+to, 48<<2, 0xC000
						f.SetDatagram(next.AppendTo(nil))
					})
				}}
			r := ignored(host, record.IgnoredSpoofed, 1)
			Expect(counters(r)["received_congestion"]).To(
				Equal(fmt.Sprint(r.Switches[far].Proximal.Sent[notification.Congestion])))
			Expect(r.Summary.Retransmits).To(BeNumerically(">", 0))
		}, Entry("to its switch", uint32(near)), Entry("to another", uint32(far)))

		It("ends the run with the link's name where its checksum was not mended", func() {
			fibre = &forger{chosen: isMessage, at: 1, forge: func(frame []byte) []byte {
				frame = bytes.Clone(frame)
				frame[len(frame)-1] ^= 1
				return frame
			}}
			_, err := b.Run(context.Background(), p, veth.Options{})
			Expect(err).To(MatchError(And(ContainSubstring("link s0-wan0"), ContainSubstring("UDP"),
				ContainSubstring("checksum"))))
		})

		It("but was sent by another program on the link is no frame of the run", func() {
			var s *stranger
			var failed atomic.Pointer[error]
			fibre = &forger{chosen: isMessage, at: 1, forge: func(frame []byte) []byte {
				if err := s.send(frame); err != nil {
					failed.Store(&err)
				}
				return frame
			}}
			s = enterAs(b, "wan0", 0)
			r := runOn(b, p, veth.Options{})
			Expect(failed.Load()).To(BeNil())
			expectSame(want, r, "beside a foreign message")
			Expect(r.Remarks).To(ConsistOf(HavePrefix("1 foreign frames at s0:2")))
		})

		It("leaves no trace in the next run", func() {
			expectSame(want, runOn(b, p, veth.Options{}), "after all of these")
		})
	})
