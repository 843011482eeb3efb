package rxe

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/specs/rxe/guest"
	"github.com/rocelab/rocelab/specs/tier"
)

// peered is a NIC of ours and a machine with soft-RoCE, with one switch between them; the last is the rate of the
// machine's link.
const peered = `
name: peer
mtu: 1024B
topology:
  nodes:
    - {name: h0}
    - {name: guest, kind: edge, interface: rxe0, namespace: %[1]s, mtu: 1500B}
    - {name: s, kind: switch}
  links:
    - {endpoints: [h0, s], rate: 100Mbps, latency: 500us}
    - {endpoints: [guest, s], rate: %[3]s, latency: 500us}
switch: {pfc: {enabled: false}, ecn: {kmin: 30KB, kmax: 90KB, scale_rate: 0bps}}
run: {until: %[2]s}
peers:
`

// far is rocelab-peer in a machine.
type far struct {
	machine *guest.Guest
	number  int
	numbers string // what it prints of itself: keys of the scenario
}

// startFar starts the program.
func startFar(g *guest.Guest, number int, options string) *far {
	GinkgoHelper()
	f := &far{machine: g, number: number}
	run(g, limit, fmt.Sprintf("rm -f /tmp/in%[1]d /tmp/out%[1]d; mkfifo /tmp/in%[1]d; (sleep 100000 >/tmp/in%[1]d &) ; "+
		"(rocelab-peer -d rxe0 -g 1 %[2]s </tmp/in%[1]d >/tmp/out%[1]d 2>&1 &) ; "+
		"until [ -s /tmp/out%[1]d ]; do sleep 0.05; done", number, options))
	said := run(g, limit, fmt.Sprintf("head -n 1 /tmp/out%d", number))
	f.numbers = strings.TrimPrefix(strings.TrimSpace(said), "peer: ")
	Expect(f.numbers).To(HavePrefix("ip: "), said)
	return f
}

// ask makes it do one line, and returns its answer.
func (f *far) ask(limit time.Duration, line string) string {
	GinkgoHelper()
	said := run(f.machine, limit, fmt.Sprintf("n=$(wc -l </tmp/out%[1]d); echo '%[2]s' >/tmp/in%[1]d; "+
		"until [ $(wc -l </tmp/out%[1]d) -gt $n ]; do usleep 20000; done; tail -n 1 /tmp/out%[1]d", f.number, line))
	return strings.TrimSpace(said)
}

// report is the digests that it has.
func (f *far) report() map[string]string {
	GinkgoHelper()
	values := map[string]string{}
	for _, word := range strings.Fields(f.ask(limit, "report")) {
		key, value, _ := strings.Cut(word, "=")
		values[key] = value
	}
	return values
}

// own are our ends in the output of validate.
type own struct {
	IP, MAC string
	QP, PSN uint32
	RKey    uint32
	VA      uint64
	Length  uint64
	MTU     int
	Far     uint32 `json:"peer_qp"`
}

func ownEnds(program, scenario string) []own {
	GinkgoHelper()
	out, err := exec.Command(program, "validate", scenario, "--format", "json").CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
	var reports []struct{ Peers []own }
	Expect(json.Unmarshal(out, &reports)).To(Succeed())
	return reports[0].Peers
}

func (o *own) connect() string {
	return fmt.Sprintf("connect %s %d %d %d %d %d %d", o.IP, o.QP, o.PSN, o.RKey, o.VA, o.Length, o.MTU)
}

// peerRows are the rows of peers.csv in a run's folder, by name of the peer.
func peerRows(folder string) map[string]map[string]string {
	GinkgoHelper()
	return sheetRows(folder, "peers.csv", "node")
}

// sheetRows are the rows of a sheet in a run's folder, by the content of a column.
func sheetRows(folder, sheet, key string) map[string]map[string]string {
	GinkgoHelper()
	found, err := filepath.Glob(filepath.Join(folder, "*", sheet))
	Expect(err).NotTo(HaveOccurred())
	Expect(found).To(HaveLen(1), "run folder %s", folder)
	file, err := os.Open(found[0])
	Expect(err).NotTo(HaveOccurred())
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	Expect(err).NotTo(HaveOccurred())
	rows := map[string]map[string]string{}
	for _, r := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = r[i]
		}
		rows[row[key]] = row
	}
	return rows
}

// meeting is a run of ours with peers in a machine.
type meeting struct {
	*crossing
	peers []*far
	ends  []own
}

func (m *meeting) scenario() string { return filepath.Join(filepath.Dir(m.folder), "rxe.yaml") }

// meet starts the programs, writes the scenario, and starts the run. Entries are, for each peer, its keys beside the
// machine's numbers, and options the program's; faults is a list of the scenario's, "" for none.
func meet(program, path string, g *guest.Guest, until, faults string, entries, options []string) *meeting {
	GinkgoHelper()
	return meetAt("100Mbps", program, path, g, until, faults, entries, options)
}

// meetAt is meet with a rate of the machine's link.
func meetAt(rate, program, path string, g *guest.Guest, until, faults string, entries, options []string) *meeting {
	GinkgoHelper()
	m := &meeting{}
	text := fmt.Sprintf(peered, path, until, rate)
	for i, entry := range entries {
		f := startFar(g, i, options[i])
		m.peers = append(m.peers, f)
		text += fmt.Sprintf("  - {edge: guest, name: p%d, mac: \"02:00:00:00:00:01\", %s, %s}\n", i, f.numbers, entry)
	}
	if faults != "" {
		text += "faults: " + faults + "\n"
	}
	work := GinkgoT().TempDir()
	scenario := filepath.Join(work, "rxe.yaml")
	Expect(os.WriteFile(scenario, []byte(text), 0o600)).To(Succeed())
	m.ends = ownEnds(program, scenario)
	for i, f := range m.peers {
		Expect(f.ask(limit, m.ends[i].connect())).To(Equal("ok"))
	}
	folder := filepath.Join(work, "run")
	m.crossing = start(program, "run", scenario, "--on", "live", "--out", folder, "--progress", "none")
	m.folder = folder
	return m
}

// settle waits until no message takes a receive in the machine any more.
func (f *far) settle() {
	GinkgoHelper()
	for before, now := "", f.ask(limit, "await 1000000000 2000"); now != before; {
		before, now = now, f.ask(limit, "await 1000000000 2000")
	}
}

// expectWhole insists that all work of both ends was done, and that every byte of it is where it belongs. It
// ends the run.
func (m *meeting) expectWhole() (there, here map[string]string) {
	GinkgoHelper()
	m.peers[0].settle()
	there, here = m.peers[0].report(), m.stop()["p0"]
	Expect(here["status"]).To(Equal("success"))
	Expect(there["memory"]).To(Equal(here["shadow_digest"]), "what we wrote there")
	Expect(there["shadow"]).To(Equal(here["memory_digest"]), "what it wrote here")
	Expect(there["received"]).To(Equal(here["sent_digest"]), "what we sent")
	Expect(there["sent"]).To(Equal(here["received_digest"]), "what it sent")
	Expect(there["mismatches"]).To(Equal("0"), "what it read")
	Expect(here["read_errors"]).To(Equal("0"), "what we read")
	return there, here
}

// number is a cell of a sheet.
func number(cell string) float64 {
	GinkgoHelper()
	value, err := strconv.ParseFloat(cell, 64)
	Expect(err).NotTo(HaveOccurred())
	return value
}

// stop ends the run, and returns the rows of its peers.
func (m *meeting) stop() map[string]map[string]string {
	GinkgoHelper()
	m.crossing.end()
	run(m.peers[0].machine, limit, "killall rocelab-peer sleep; true")
	return peerRows(m.folder)
}

var _ = Describe("A NIC of ours and a machine with soft-RoCE", Ordered, func() {
	var (
		machine       *guest.Guest
		path, program string
	)

	BeforeAll(func(ctx SpecContext) {
		program = build()
		path = space()
		// Station 0 is ours, so that the machine is station 1.
		var err error
		machine, err = guest.Start(ctx, guest.Config{
			Image:      booted,
			Tap:        tap(path, "rxe0", 1500),
			MAC:        macs[0],
			Address:    netip.MustParsePrefix("10.0.0.2/8"),
			MTU:        1500,
			Neighbours: map[netip.Addr]net.HardwareAddr{netip.MustParseAddr("10.0.0.1"): {2, 0, 0, 1, 0, 0}},
		})
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(machine.Close)
	})

	It("do every verb both ways; the journal replays it to its trace, and tshark dissects each frame", func() {
		m := meet(program, path, machine, "300s", "",
			[]string{"work: [{verb: write, length: 1MiB}, {verb: write-imm, length: 3000B}, {verb: send, length: 4000B}, " +
				"{verb: send-imm, length: 5B}, {verb: read, length: 100KB}]"}, []string{""})
		for _, line := range []string{"write 100000", "write-imm 3000", "send 4000", "send-imm 7", "read 100000"} {
			Expect(m.peers[0].ask(limit, line)).To(HavePrefix("ok"), line)
		}
		_, here := m.expectWhole()
		folder := m.folder + "-replay"
		again := exec.Command(program, "run", m.scenario(), "--on", "mem", "--edges", m.folder, "--out", folder,
			"--capture", "h0:0")
		out, _ := again.CombinedOutput() // the run was interrupted, and so is this one
		fmt.Fprintf(GinkgoWriter, "replay: %s\n", out)
		Expect(read(folder).Trace).To(Equal(read(m.folder).Trace))
		Expect(peerRows(folder)["p0"]).To(Equal(here))
		expectDissected(folder)
	})

	// Soft-RoCE takes marked frames, and answers none with a CNP: the edge does, in its name. The timeout is longer than a
	// busy host stops a machine, and how fast the flow gets on is the host's, too: there is no least goodput.
	It("are driven by an algorithm, which the marks of the switch slow down", func() {
		before := softRoCE(machine)
		m := meetAt("20Mbps", program, path, machine, "300s", "",
			[]string{"algorithm: {name: dcqcn, params: {rpg_ai_rate: 100Kbps, rpg_hai_rate: 1Mbps, rpg_time_reset: 3ms}}, " +
				"timeout: 2s, " +
				"work: [{verb: write, length: 1000000B, count: 4}, {verb: read, length: 20KB}, " +
				"{verb: send, length: 4KB, count: 20}]"}, []string{""})
		Expect(m.peers[0].ask(limit, "await 20 120000")).To(HavePrefix("ok"))
		there, here := m.expectWhole()
		flow := sheetRows(m.folder, "flows.csv", "to")["guest"]
		after := softRoCE(machine)
		fmt.Fprintln(GinkgoWriter, flow, there, here, before, after)
		Expect(flow["algorithm"]).To(Equal("dcqcn"))
		Expect(flow["acked_bytes"]).To(Equal("4080000"))
		Expect(flow["np_cnp_sent"]).NotTo(Equal("0"), "by the edge")
		Expect(flow["rp_cnp_handled"]).To(Equal(flow["np_cnp_sent"]))
		Expect(number(flow["rate_min_gbps"])).To(BeNumerically("<", 0.05), "half of the NIC's rate")
		Expect(number(flow["goodput_gbps"])).To(BeNumerically("<", 0.02), "the rate of the machine's link")
		edge := sheetRows(m.folder, "edges.csv", "node")["guest"]
		Expect(edge["in_cnp_frames"]).To(Equal("0"), "soft-RoCE sends none")
		Expect(edge["made_cnp_frames"]).To(Equal(flow["np_cnp_sent"]))
		folder := m.folder + "-replay"
		again := exec.Command(program, "run", m.scenario(), "--on", "mem", "--edges", m.folder, "--out", folder)
		out, _ := again.CombinedOutput() // the run was interrupted, and so is this one
		fmt.Fprintf(GinkgoWriter, "replay: %s\n", out)
		Expect(read(folder).Trace).To(Equal(read(m.folder).Trace))
		Expect(sheetRows(folder, "flows.csv", "to")["guest"]).To(Equal(flow))
		Expect(peerRows(folder)["p0"]).To(Equal(here))
	})

	It("write to the machine the pattern of QP and PSN", func() {
		m := meet(program, path, machine, "300s", "",
			[]string{"work: [{verb: write, length: 1MiB}, {verb: send}]"}, []string{""})
		Expect(m.peers[0].ask(limit, "await 1 60000")).To(HavePrefix("ok"))
		there, _ := m.expectWhole()
		end := &m.ends[0]
		want := make([]byte, 1<<20)
		for i := range len(want) / end.MTU {
			wire.Pattern(end.Far, wire.AddPSN(end.PSN, i), want[i*end.MTU:][:end.MTU])
		}
		Expect(there["memory"]).To(Equal(fmt.Sprintf("%x", sha256.Sum256(want))))
	})

	It("refuse what they must, with the statuses of completions", func() {
		small := []string{"-s 4096 -l 65536 -r 4", "-s 4096 -l 65536 -r 4", "-s 4096 -l 65536 -r 4", "-s 4096 -l 65536 -r 4",
			"-s 4096 -l 65536 -r 4"}
		m := meet(program, path, machine, "300s", "",
			[]string{"retries: 0", "retries: 0", "retries: 0", "receive_size: 100B", "receive_size: 2MB"}, small)
		for i, x := range []struct{ line, want string }{
			{"try write 7 0 8", "remote access error"},
			{"try read KEY 999993 8", "remote access error"},
			{"try fetch-add KEY 0 8", "remote invalid request error"},
			{"send 101", "remote invalid request error"},
			{"send 1", "remote operation error"},
		} {
			line := strings.ReplaceAll(x.line, "KEY", fmt.Sprint(m.ends[i].RKey))
			Expect(m.peers[i].ask(limit, line)).To(HavePrefix(x.want), line)
		}
		rows := m.stop()
		for i, syndrome := range []string{"0x62", "0x62", "0x61", "0x61", "0x63"} {
			Expect(rows[fmt.Sprint("p", i)]["refused_syndrome"]).To(Equal(syndrome))
		}
	})

	It("are refused by the machine, too", func() {
		small := []string{"-s 4096 -l 65536 -r 4", "-s 4096 -l 65536 -r 4 -z 100", "-s 4096 -l 65536 -r 4"}
		m := meet(program, path, machine, "300s", "", []string{"work: [{verb: write, length: 8B, rkey: 7}]",
			"work: [{verb: send, length: 101B}]", "work: [{verb: read, length: 8B, offset: 65529}]"}, small)
		run(machine, limit, "until [ $(rdma resource show qp link rxe0 | grep -c 'state ERR') = 3 ]; do usleep 20000; done")
		Expect(m.peers[0].ask(limit, "await 1 500")).To(HavePrefix("late"), "time for the answers to come here")
		rows := m.stop()
		Expect(rows["p0"]["status"]).To(Equal("remote access error"))
		Expect(rows["p1"]["status"]).To(Equal("remote operational error"), "the standard has invalid request")
		Expect(rows["p2"]["status"]).To(Equal("remote access error"))
	})

	It("wait for each other's receives", func() {
		before := softRoCE(machine)
		m := meet(program, path, machine, "300s", "",
			[]string{"receives: 1, repost: 20ms, work: [{verb: send, length: 100B, count: 20}]"}, []string{"-r 0"})
		Expect(m.peers[0].ask(limit, "send 1 20")).To(HavePrefix("ok"))
		Expect(m.peers[0].ask(limit, "await 1 1000")).To(Equal("late: 0 messages"))
		Expect(m.peers[0].ask(limit, "post 20")).To(Equal("ok"))
		_, here := m.expectWhole()
		after := softRoCE(machine)
		fmt.Fprintln(GinkgoWriter, before, after, here)
		Expect(here["send_rnr_err"]).NotTo(Equal("0"))
		Expect(here["rcvd_rnr_err"]).NotTo(Equal("0"))
		Expect(fmt.Sprint(after["rcvd_rnr_err"] - before["rcvd_rnr_err"])).To(Equal(here["send_rnr_err"]))
		Expect(fmt.Sprint(after["send_rnr_err"] - before["send_rnr_err"])).To(Equal(here["rcvd_rnr_err"]))
	})

	It("count the same gaps and duplicates when frames toward the machine are lost", func() {
		before := softRoCE(machine)
		m := meet(program, path, machine, "300s", "[{link: h0-s, loss: 0.02, toward: s, frames: data}]",
			[]string{"work: [{verb: write, length: 20KB, count: 40}, {verb: send, length: 4KB, count: 40}]"}, []string{""})
		Expect(m.peers[0].ask(limit, "await 40 120000")).To(HavePrefix("ok"))
		_, here := m.expectWhole()
		after := softRoCE(machine)
		fmt.Fprintln(GinkgoWriter, before, after, here)
		gaps := fmt.Sprint(after["out_of_seq_request"] - before["out_of_seq_request"])
		Expect(gaps).NotTo(Equal("0"))
		Expect(gaps).To(Equal(here["rcvd_seq_err"]))
	})

	It("count the same gaps when frames of the machine are lost", func() {
		before := softRoCE(machine)
		m := meet(program, path, machine, "300s", "[{link: h0-s, loss: 0.02, toward: h0, frames: data}]",
			[]string{"receives: 64"}, []string{""})
		Expect(m.peers[0].ask(limit, "write 20000 20000 40")).To(HavePrefix("ok"))
		Expect(m.peers[0].ask(limit, "send 4000 4000 40")).To(HavePrefix("ok"))
		_, here := m.expectWhole()
		after := softRoCE(machine)
		fmt.Fprintln(GinkgoWriter, before, after, here)
		Expect(here["out_of_seq_request"]).NotTo(Equal("0"))
		// The kernel counts a NAK for a gap only if it acknowledges something, too (check_ack of rxe_comp.c).
		gaps, err := strconv.Atoi(here["out_of_seq_request"])
		Expect(err).NotTo(HaveOccurred())
		Expect(after["rcvd_seq_err"] - before["rcvd_seq_err"]).To(And(BeNumerically(">", 0), BeNumerically("<=", gaps)))
	})

	// All requests arrive, so each that is sent again is a duplicate there. With a window of one packet each lost ACK
	// costs a timeout.
	It("count the same duplicates when acknowledgements of the machine are lost", func() {
		before := softRoCE(machine)
		m := meet(program, path, machine, "300s", "[{link: h0-s, loss: 0.3, toward: h0, frames: acks}]",
			[]string{"window: 1, work: [{verb: write, length: 8KB, count: 10}, {verb: send, length: 2KB, count: 10}]"},
			[]string{""})
		Expect(m.peers[0].ask(limit, "await 10 120000")).To(HavePrefix("ok"))
		_, here := m.expectWhole()
		after := softRoCE(machine)
		fmt.Fprintln(GinkgoWriter, before, after, here)
		Expect(here["resent_packets"]).NotTo(Equal("0"))
		Expect(fmt.Sprint(after["duplicate_request"] - before["duplicate_request"])).To(Equal(here["resent_packets"]))
	})

	// One message of one packet at a time: each packet that the machine sends again is a duplicate here, and follows a
	// retry of its completer. The kernel counts retries that have nothing to send again, too (rxe_completer of
	// rxe_comp.c).
	It("see no more duplicates than the machine has retries when acknowledgements of ours are lost", func() {
		before := softRoCE(machine)
		m := meet(program, path, machine, "300s", "[{link: h0-s, loss: 0.5, toward: s, frames: acks}]",
			[]string{"receives: 64"}, []string{""})
		for range 5 {
			Expect(m.peers[0].ask(limit, "write 1000")).To(HavePrefix("ok"))
			Expect(m.peers[0].ask(limit, "send 1000")).To(HavePrefix("ok"))
		}
		_, here := m.expectWhole()
		after := softRoCE(machine)
		fmt.Fprintln(GinkgoWriter, before, after, here)
		retries := after["completer_retry_err"] - before["completer_retry_err"]
		Expect(number(here["duplicate_request"])).To(And(BeNumerically(">", 0), BeNumerically("<=", retries)))
	})

	for _, loss := range []string{"0", "0.001", "0.01"} {
		faults := ""
		if loss != "0" {
			faults = "[{link: h0-s, loss: " + loss + "}]"
		}
		It("do every verb with every length from 0 to 3 MTU, both ways, with loss "+loss, func() {
			tier.Night(GinkgoT())
			verbs := []string{"write", "write-imm", "send", "send-imm", "read"}
			work := ""
			for _, verb := range verbs {
				work += fmt.Sprintf("{verb: %s, to: 3072B}, ", verb)
			}
			m := meet(program, path, machine, "1000s", faults, []string{"receives: 64, work: [" + work + "]"}, []string{""})
			for _, verb := range verbs {
				Expect(m.peers[0].ask(10*time.Minute, verb+" 0 3072")).To(HavePrefix("ok"), verb)
			}
			_, here := m.expectWhole()
			Expect(here["completed_messages"]).To(Equal("15365"))
			fmt.Fprintln(GinkgoWriter, here)
		})

		It("do ten thousand random verbs at each end at once, with loss "+loss, func() {
			tier.Night(GinkgoT())
			m := meet(program, path, machine, "1000s", faults,
				[]string{"receives: 64, work: [{verb: random, to: 4096B, count: 10000}]"}, []string{""})
			Expect(m.peers[0].ask(15*time.Minute, "random 7 4096 10000")).To(HavePrefix("ok: 10000"))
			_, here := m.expectWhole()
			Expect(here["completed_messages"]).To(Equal("10000"))
			fmt.Fprintln(GinkgoWriter, here)
		})
	}

	It("go on for ten minutes with 0.1 % loss", func() {
		tier.Night(GinkgoT())
		m := meet(program, path, machine, "900s", "[{link: h0-s, loss: 0.001}]",
			[]string{"receives: 64, work: [{verb: random, to: 4096B, count: 100000}]"}, []string{""})
		began, rounds := time.Now(), 0
		for time.Since(began) < 10*time.Minute {
			rounds++
			Expect(m.peers[0].ask(5*time.Minute, fmt.Sprintf("random %d 4096 2000", rounds))).To(HavePrefix("ok"))
		}
		there := m.peers[0].report()
		here := m.stop()["p0"]
		fmt.Fprintln(GinkgoWriter, rounds, there, here)
		Expect(there["sent"]).To(Equal(here["received_digest"]))
		Expect(there["shadow"]).To(Equal(here["memory_digest"]))
		Expect(there["mismatches"]).To(Equal("0"))
		Expect(here["read_errors"]).To(Equal("0"))
	})
})

// expectDissected insists that tshark finds RoCE in a capture, and nothing malformed.
func expectDissected(folder string) {
	GinkgoHelper()
	if _, err := exec.LookPath("tshark"); err != nil {
		fmt.Fprintln(GinkgoWriter, "no tshark: the capture is not dissected")
		return
	}
	found, err := filepath.Glob(filepath.Join(folder, "*", "capture.pcapng"))
	Expect(err).NotTo(HaveOccurred())
	Expect(found).To(HaveLen(1))
	for filter, want := range map[string]bool{
		"_ws.malformed": false, "infiniband.bth.opcode == 0": true, "infiniband.bth.opcode == 5": true,
		"infiniband.bth.opcode == 6": true, "infiniband.bth.opcode == 9": true, "infiniband.bth.opcode == 12": true,
		"infiniband.bth.opcode == 13": true, "infiniband.bth.opcode == 17": true,
	} {
		out, err := exec.Command("tshark", "-r", found[0], "-Y", filter, "-T", "fields", "-e", "frame.number").Output()
		Expect(err).NotTo(HaveOccurred())
		Expect(len(out) > 0).To(Equal(want), "%s: frames %s", filter, out)
	}
}
