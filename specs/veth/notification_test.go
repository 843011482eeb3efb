package veth

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/eventlog"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// told is an incast over 20 km into a port of s1. Nothing is marked, so that all CNPs are those of s0, to which s1
// reports the queue; and the last packet of each flow, of 68 B, is as long as a notification with one flow.
const told = `
name: told
algorithm: dcqcn
topology: {kind: dumbbell, left: 2, right: 1, bottleneck_rate: 200Gbps, bottleneck_wan: {length: 20km}}
switch: {ecn: {enabled: false}, proximal: {enabled: true, threshold: 20KB, notify: always}}
nic: {rto: {floor: 2ms, initial: 2ms}}
traffic: [{kind: incast, size: 4000068B}]
`

// receivers is the same with CNPs only from the receiver.
var receivers = strings.Replace(told,
	"{ecn: {enabled: false}, proximal: {enabled: true, threshold: 20KB, notify: always}}",
	"{ecn: {kmin: 20KB, kmax: 80KB}}", 1)

// Switches of it, and the port of s0 to the long-haul path.
const (
	near, far = 0, 1
	toFar     = "s0:2"
)

// isMessage and isCNP recognise kinds of frames.
func isMessage(f *wire.Frame) bool { return f.IsDatagram() }
func isCNP(f *wire.Frame) bool     { return !f.IsDatagram() && !f.IsPFC() && f.Opcode == wire.CNP }

// inMemoryAt are the frames of a kind that a port receives, or sends, in memory.
func inMemoryAt(p *plan.Plan, port string, way pcapng.Direction, is func(*wire.Frame) bool) (list []lab.Captured) {
	GinkgoHelper()
	_, file := lab.Capture(p, lab.Options{Lossy: true}, port)
	for _, c := range lab.Frames(file) {
		var f wire.Frame
		Expect(wire.Decode(c.Bytes, &f)).To(Succeed())
		if c.Direction == way && is(&f) {
			list = append(list, c)
		}
	}
	Expect(list).NotTo(BeEmpty())
	return list
}

// expectFrames insists that what tcpdump captured are these frames, each with a
// trailer.
func expectFrames(file []byte, want []lab.Captured) {
	GinkgoHelper()
	got := pcap(file)
	Expect(got).To(HaveLen(len(want)))
	for i, whole := range got {
		frame, _, ok := packet.Cut(whole)
		Expect(ok).To(BeTrue(), "frame %d has no trailer", i+1)
		Expect(frame).To(Equal(want[i].Bytes), "frame %d", i+1)
	}
}

// fields are the fields of each frame of a capture as tshark shows them, by name; checksums are verified.
func fields(file []byte, args []string, names ...string) (rows [][]string) {
	GinkgoHelper()
	args = append([]string{"-T", "fields", "-E", "separator=|", "-o", "ip.check_checksum:TRUE", "-o",
		"udp.check_checksum:TRUE"}, args...)
	for _, name := range names {
		args = append(args, "-e", name)
	}
	for _, line := range lab.Tshark(file, args...) {
		rows = append(rows, strings.Split(line, "|"))
	}
	return rows
}

// good is tshark's mark of a correct checksum.
const good = "1"

// outer are the fields around a message, the same with and without a dissector.
var outer = []string{"eth.src", "eth.dst", "ip.src", "ip.dst", "ip.dsfield.dscp", "ip.dsfield.ecn", "ip.ttl",
	"ip.flags.df", "ip.checksum.status",
	"udp.srcport", "udp.dstport", "udp.length", "udp.checksum.status", "_ws.malformed"}

// outerOf are their values for a message of s1 to s0.
func outerOf(m *notification.Message) []string {
	return []string{mac(far), mac(near), "172.16.0.2", "172.16.0.1", "48", "0", "64", "1", good,
		fmt.Sprint(0xC000 | m.Port), "49911", fmt.Sprint(8 + m.Len()), good, ""}
}

func mac(node uint32) string { return wire.NodeMAC(node, 0).String() }

// inner are a message's own fields, and innerOf their values.
func inner(names ...string) []string {
	for i := range names {
		names[i] = "rocelab_notification." + names[i]
	}
	return names
}

func innerOf(m *notification.Message) []string {
	values := []any{0x5052, 1, uint8(m.Type), m.Origin, m.Sequence, m.Time.Nanoseconds(), m.Port, m.Priority, m.Count,
		int64(m.Depth), int64(m.Before),
		m.Elapsed.Nanoseconds(), int64(m.Rate / unit.Mbps), m.Usage, m.Degree, int64(m.Threshold), int64(m.Kmax),
		int64(m.Lifetime / unit.Microsecond), m.Live, m.Level}
	var texts []string
	for i, v := range values {
		texts = append(texts, fmt.Sprint(v))
		if i == 0 {
			texts[0] = fmt.Sprintf("0x%04x", v)
		}
	}
	each := func(of func(f *notification.Flow) string) {
		var list []string
		for i := range m.Flows[:m.Count] {
			list = append(list, of(&m.Flows[i]))
		}
		texts = append(texts, strings.Join(list, ","))
	}
	each(func(f *notification.Flow) string { return ip(f.SrcIP) })
	each(func(f *notification.Flow) string { return ip(f.DstIP) })
	each(func(f *notification.Flow) string { return fmt.Sprintf("0x%08x", f.DstQP) })
	each(func(f *notification.Flow) string { return fmt.Sprint(int64(f.Bytes)) })
	each(func(f *notification.Flow) string { return fmt.Sprint(f.SrcPort) })
	each(func(f *notification.Flow) string { return fmt.Sprint(f.Share) })
	return texts
}

func ip(a uint32) string { return fmt.Sprintf("%d.%d.%d.%d", a>>24, a>>16&255, a>>8&255, a&255) }

var _ = Describe("a notification between two switches and the CNPs that follow it", Label("veth", "proximal"), Ordered,
	ContinueOnFailure, func() {
		var p *plan.Plan
		var want *lab.Run
		var b *veth.Testbed

		BeforeAll(func() {
			p = lab.Plans(told)[0]
			want = inMemory(p)
			Expect([]uint64{want.Summary.Marks, want.Summary.CNPs, want.Summary.Drops}).To(HaveEach(BeZero()))
			b = deploy(p, veth.Config{})
		})

		// dump captures n frames with tcpdump at the first interface of a node or
		// another, during a run that must be that in memory.
		dump := func(node string, port, n int, filter string) []byte {
			GinkgoHelper()
			lab.Tool("tcpdump")
			state, ok := b.Node(node)
			Expect(ok).To(BeTrue())
			var file bytes.Buffer
			finish := start("listening on", &file, "exec", node, "--testbed", b.Name, "--",
				"tcpdump", "-i", state.Interfaces[port], "-U", "-w", "-", "-c", fmt.Sprint(n), filter)
			expectSame(want, runOn(b, p, veth.Options{}), "while tcpdump looks on")
			finish()
			return file.Bytes()
		}

		It("is UDP to tshark, and with the dissector each field of the message", Label("tshark"), func() {
			lab.Tool("tshark")
			messages := inMemoryAt(p, toFar, pcapng.Inbound, isMessage)
			file := dump("s0", 2, len(messages), fmt.Sprintf("udp port %d", wire.NotificationPort))
			expectFrames(file, messages)

			plain := fields(file, nil, append([]string{"frame.protocols", "data.len"}, outer...)...)
			types := map[notification.Type]int{}
			for i, c := range messages {
				m := messageIn(c.Bytes)
				types[m.Type]++
				Expect(plain[i]).To(Equal(append([]string{"eth:ethertype:ip:udp:data", fmt.Sprint(m.Len())}, outerOf(m)...)),
					"message %d", i+1)
			}
			Expect(types).To(And(HaveKey(notification.Congestion), HaveKey(notification.Clear)))

			names := append(inner("magic", "version", "type", "origin", "sequence", "time", "port", "priority", "count",
				"depth", "before", "elapsed", "rate", "usage", "degree",
				"threshold", "kmax", "lifetime", "live", "level",
				"flow.src_ip", "flow.dst_ip", "flow.dst_qp", "flow.bytes", "flow.src_port",
				"flow.share"), outer...)
			dissected := fields(file, lab.Dissector(), append([]string{"frame.protocols"}, names...)...)
			for i, c := range messages {
				m := messageIn(c.Bytes)
				values := append([]string{"eth:ethertype:ip:udp:rocelab_notification"}, innerOf(m)...)
				Expect(dissected[i]).To(Equal(append(values, outerOf(m)...)), "message %d", i+1)
			}
		})

		It("is, as a CNP at the sender's port, byte for byte the receiver's, RoCEv2 to tshark, and with a right ICRC",
			Label("tshark"), func() {
				lab.Tool("tshark")
				cnps := inMemoryAt(p, "h0:0", pcapng.Inbound, isCNP)
				file := dump("h0", 0, len(cnps), "udp dst port 4791 and udp[8] = 0x81")
				expectFrames(file, cnps)

				// The CNP that the receiver of this flow sends if the receivers send them.
				real := inMemoryAt(lab.Plans(receivers)[0], "h2:0", pcapng.Outbound,
					func(f *wire.Frame) bool { return isCNP(f) && f.DstIP == p.NICs[0].IP })[0]
				rows := fields(file, nil, "frame.protocols", "infiniband.bth.opcode", "infiniband.bth.destqp",
					"infiniband.bth.p_key", "infiniband.bth.m", "infiniband.bth.psn",
					"eth.src", "eth.dst", "ip.src", "ip.dst", "ip.dsfield.dscp", "ip.ttl", "ip.checksum.status",
					"udp.length", "_ws.malformed")
				for i, c := range cnps {
					Expect(c.Bytes).To(Equal(real.Bytes), "CNP %d", i+1)
					end := len(c.Bytes) - icrcLen
					Expect(binary.LittleEndian.Uint32(c.Bytes[end:])).To(Equal(lab.ICRC(c.Bytes[ipAt:end])), "ICRC of CNP %d", i+1)
					Expect(c.Bytes[becnAt]).To(Equal(byte(wire.BECN)), "tshark 4.0 has no field for BECN")
					Expect(rows[i]).To(Equal([]string{"eth:ethertype:ip:udp:infiniband", "129", fmt.Sprintf("0x%06x", nicd.FirstQP),
						"65535", "1", "0",
						mac(uint32(p.NICNode(2))), mac(uint32(p.NICNode(0))), ip(p.NICs[2].IP), ip(p.NICs[0].IP), "48", "64", good, "40",
						""}), "CNP %d", i+1)
				}
			})

		It("slow down a NIC that knows nothing of switches, by the first of its decisions", func() {
			alone := inMemory(lab.Plans(strings.Replace(told, "enabled: true", "enabled: false", 1))[0])
			r := runOn(b, p, veth.Options{})
			expectSame(want, r, "on veth")
			for i := range r.Flows {
				Expect(alone.Flows[i].Sender.Decisions).To(BeZero())
				arrivals := inMemoryAt(p, p.NICs[i].Name+":0", pcapng.Inbound, isCNP)
				f := sheet(r, "flows.csv")[i]
				Expect(f["np_cnp_sent"]).To(Equal("0"))
				Expect(f["rp_cnp_handled"]).To(Equal(fmt.Sprint(len(arrivals))))
				Expect(f["first_cnp_us"]).To(Equal(fmt.Sprintf("%.6f", arrivals[0].At.Sub(0).Microseconds())))
				least, err := strconv.ParseFloat(f["rate_min_gbps"], 64)
				Expect(err).NotTo(HaveOccurred())
				Expect(least).To(And(BeNumerically(">", 0), BeNumerically("<", 50)))
				cnp, cut := firstCut(p, uint32(i))
				Expect(cnp).To(Equal(arrivals[0].At))
				Expect(cut.Event.Now).To(And(BeNumerically(">=", cnp), BeNumerically("<=", cnp.Add(reducePeriod))))
				Expect(cut.After.Rate).To(BeNumerically("~", cut.Before.Rate/2, cut.Before.Rate/50)) // alpha is nearly 1
			}
		})
	})

// messageIn reads the message in a frame.
func messageIn(frame []byte) *notification.Message {
	GinkgoHelper()
	var f wire.Frame
	Expect(wire.Decode(frame, &f)).To(Succeed())
	m := new(notification.Message)
	Expect(notification.Decode(f.Rare.Payload, m)).To(Succeed())
	return m
}

// sheet reads a table of the run folder: its rows by the names of columns.
func sheet(r *lab.Run, name string) (rows []map[string]string) {
	GinkgoHelper()
	lines, err := csv.NewReader(strings.NewReader(r.Files()[name])).ReadAll()
	Expect(err).NotTo(HaveOccurred())
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, cell := range line {
			row[lines[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

// reducePeriod is the time that DCQCN takes to decide: its parameter rate_reduce_monitor_period.
const reducePeriod = 4 * unit.Microsecond

// firstCut returns, in memory, the time of the first CNP at a flow's sender, and the first call by which it changed its
// rate.
func firstCut(p *plan.Plan, flow uint32) (cnp unit.Time, cut *eventlog.Step) {
	GinkgoHelper()
	var log eventlog.Log
	recorder := eventlog.Recorder{Open: func(h eventlog.Header) eventlog.Sink {
		if h.Flow == flow && h.End == eventlog.Sender {
			return &log
		}
		return nil
	}}
	lab.Do(p, lab.Options{Lossy: true, Algorithms: recorder.Find(shipped.Find)})
	first := func(is func(eventlog.Step) bool) *eventlog.Step {
		i := slices.IndexFunc(log.Steps, is)
		Expect(i).To(BeNumerically(">=", 0))
		return &log.Steps[i]
	}
	cut = first(func(s eventlog.Step) bool { return s.Event.Kind != cc.EventStart && s.After.Rate != s.Before.Rate })
	return first(func(s eventlog.Step) bool { return s.Event.Kind == cc.EventCNP }).Event.Now, cut
}
