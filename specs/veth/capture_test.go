package veth

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/gopacket/gopacket/pcapgo"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// tapped is an incast with data, ACKs, CNPs and PFC at h0, and one with the
// extensions of PC4.
const tapped = `
name: tapped
topology: {kind: star, hosts: 9}
traffic: [{kind: incast, size: 300KB, message: 10501B}]
variants:
  - {name: pc4, algorithm: pc4}
  - {name: dcqcn, algorithm: dcqcn, switch: {buffer: 700KB, ecn: {kmin: 10KB, kmax: 200KB}, pfc: {quanta: 1000}}}
`

// start starts a command line of rocelab and waits until it prints on stderr that it is ready; finish waits until it
// ended, and insists that it succeeded.
func start(ready string, stdout io.Writer, args ...string) (finish func()) {
	GinkgoHelper()
	c := exec.Command(program("rocelab"), args...)
	stderr := gbytes.NewBuffer()
	c.Stdout, c.Stderr = stdout, stderr
	Expect(c.Start()).To(Succeed())
	DeferCleanup(func() { c.Process.Kill() })
	Eventually(stderr, "20s").Should(gbytes.Say(ready))
	return func() {
		GinkgoHelper()
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		var err error
		Eventually(ended, "60s").Should(Receive(&err), "rocelab %q does not end", args)
		Expect(err).NotTo(HaveOccurred())
	}
}

var _ = Describe("a capture on containers", Label("veth", "capture"), Ordered, func() {
	var plans []*plan.Plan
	var b *veth.Testbed
	BeforeAll(func() {
		plans = lab.Plans(tapped)
		b = deploy(plans[0], veth.Config{})
	})

	It("is that in memory, byte for byte, taken by the run or live by another program", func() {
		for _, p := range plans {
			ports := []string{"s0:8", "s0:0", "h0:0"}
			r, want := lab.Capture(p, lab.Options{Lossy: true}, ports...)
			if p.Name == "dcqcn" {
				Expect([]uint64{r.Summary.Marks, r.Summary.CNPs, r.Summary.Pauses}).To(HaveEach(BeNumerically(">", 0)))
			}
			var own, live bytes.Buffer
			finish := start("waiting for a run", &live, append([]string{"capture", "--testbed", b.Name}, ports...)...)
			expectSame(r, runOn(b, p, veth.Options{Captures: ports, CaptureTo: &own}), "%s", p.Name)
			finish()
			Expect(len(lab.Frames(want))).To(BeNumerically(">", 500))
			Expect(bytes.Equal(own.Bytes(), want)).To(BeTrue(), "%s: %d B captured by the run, %d B in memory", p.Name,
				own.Len(), len(want))
			Expect(bytes.Equal(live.Bytes(), want)).To(BeTrue(), "%s: %d B captured live, %d B in memory", p.Name,
				live.Len(), len(want))
		}
	})

	It("by tcpdump in a node has the frames of the run with a trailer, and is RoCEv2 to tshark", Label("tshark"), func() {
		lab.Tool("tcpdump")
		lab.Tool("tshark")
		for _, p := range plans {
			const frames = 100
			var file bytes.Buffer
			finish := start("listening on roce0", &file, "exec", "h0", "--testbed", b.Name, "--", "tcpdump", "-i", "roce0",
				"-U", "-w", "-", "-c", fmt.Sprint(frames))
			runOn(b, p, veth.Options{})
			finish()

			_, captured := lab.Capture(p, lab.Options{Lossy: true}, "h0:0")
			known := map[string]bool{}
			for _, f := range lab.Frames(captured) {
				known[string(f.Bytes)] = true
			}
			got := pcap(file.Bytes())
			Expect(got).To(HaveLen(frames))
			for i, whole := range got {
				frame, _, ok := packet.Cut(whole)
				Expect(ok).To(BeTrue(), "frame %d has no trailer", i+1)
				Expect(known).To(HaveKey(string(frame)), "frame %d is not of the run", i+1)
				var f wire.Frame
				Expect(wire.Decode(frame, &f)).To(Succeed())
				if !f.IsPFC() {
					end := len(frame) - icrcLen
					Expect(binary.LittleEndian.Uint32(frame[end:])).To(Equal(lab.ICRC(frame[ipAt:end])), "ICRC of frame %d", i+1)
				}
			}
			dissected(got, file.Bytes())
		}
	})
})

// pcap returns the frames of a capture in the format of tcpdump.
func pcap(file []byte) (frames [][]byte) {
	GinkgoHelper()
	r, err := pcapgo.NewReader(bytes.NewReader(file))
	Expect(err).NotTo(HaveOccurred())
	for {
		frame, _, err := r.ReadPacketData()
		if errors.Is(err, io.EOF) {
			return frames
		}
		Expect(err).NotTo(HaveOccurred())
		frames = append(frames, frame)
	}
}

// dissected insists that tshark recognises frames with trailers: RoCEv2, followed by bytes the last four of which are a
// frame check sequence.
func dissected(frames [][]byte, file []byte) {
	GinkgoHelper()
	lines := lab.Tshark(file, "-T", "fields", "-E", "separator=|", "-e", "frame.protocols", "-e", "infiniband.bth.opcode",
		"-e", "infiniband.bth.psn", "-e", "_ws.malformed", "-e", "eth.trailer", "-e", "eth.fcs")
	Expect(lines).To(HaveLen(len(frames)))
	kinds := map[string]int{}
	for i, line := range lines {
		field := strings.Split(line, "|")
		kinds[field[0]]++
		frame, _, _ := packet.Cut(frames[i])
		var f wire.Frame
		Expect(wire.Decode(frame, &f)).To(Succeed())
		Expect(field[3]).To(BeEmpty(), "frame %d is malformed: %s", i+1, line)
		if f.IsPFC() {
			Expect(field[0]).To(Equal("eth:ethertype:macc"), "frame %d: %s", i+1, line)
			continue
		}
		Expect(field[0]).To(HavePrefix("eth:ethertype:ip:udp:infiniband"), "frame %d: %s", i+1, line)
		Expect(field[1:3]).To(Equal([]string{fmt.Sprint(uint8(f.Opcode)), fmt.Sprint(f.PSN)}), "frame %d: %s", i+1, line)
		trailer := frames[i][len(frame):]
		Expect(field[4:]).To(Equal([]string{hex.EncodeToString(trailer[:len(trailer)-4]), "0x00000000"}),
			"frame %d: %s", i+1, line)
	}
	AddReportEntry("frames to tshark", fmt.Sprint(kinds), ReportEntryVisibilityFailureOrVerbose)
}
