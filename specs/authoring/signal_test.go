package authoring

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// The edits with which a researcher adds a signal with a header of its own: in a copy of the project, for the contract
// is a Go package that its authors change. The signal is PacketGaps, the dispersion of packet pairs: the time between
// two data packets at their departure and at their arrival.
var signalEdits = []struct{ file, after, insert string }{
	{"plugins/cc/cc.go", "type Signals struct {\n",
		`	// PacketGaps carries in data how long after the packet before they left, and in
	// ACKs how long after it they arrived too.
	PacketGaps bool
`},
	{"plugins/cc/cc.go", "type Event struct {\n",
		`	// SentGap and ArrivalGap are the times since the packet before where the
	// acknowledged one left and where it arrived. Only with Signals.PacketGaps.
	SentGap, ArrivalGap unit.Duration
`},
	{"plugins/cc/contract/table.go", "var Signals = []Field[cc.Signals]{\n",
		`	{Name: "PacketGaps", Number: 100, At: func(s *cc.Signals) any { return &s.PacketGaps }},
`},
	{"plugins/cc/contract/table.go", "var Event = []Field[cc.Event]{\n",
		`	{Name: "SentGap", Number: 100, Log: "sent_gap_ps", Script: "sent_gap", Signal: "PacketGaps", Most: 1e9,
		At: func(e *cc.Event) any { return &e.SentGap }},
	{Name: "ArrivalGap", Number: 101, Log: "arrival_gap_ps", Script: "arrival_gap", Signal: "PacketGaps", Most: 1e9,
		At: func(e *cc.Event) any { return &e.ArrivalGap }},
`},
	{"emulator/wire/kinds.go", "	ExtNone ExtType = 0\n", `	// ExtPacketGaps: ExtA = time since the packet before in ns.
	ExtPacketGaps = lastOfTree + 1
	// ExtPacketGapsAck: ExtA = that of the data packet, ExtB = the same where it
	// arrived.
	ExtPacketGapsAck = lastOfTree + 2
`},
	{"emulator/wire/kinds.go", "var kinds = withBounds([ExtMask + 1]ExtKind{\n",
		`	ExtPacketGaps:    {Name: "packet gaps", Words: []Word{WordA}},
	ExtPacketGapsAck: {Name: "packet gaps, ACK", Words: []Word{WordA, WordB}},
`},
	{"nicd/signal.go", "var signalKinds = [...]signalKind{", "packetGapsKind, "},
}

var _ = Describe("A signal with a header of its own", Label("slow"), func() {
	It("is at most six files, and reaches Go, Python, event logs, scripts and the wire", func() {
		lab.SkipUnlessNight() // it compiles a changed tree, Go and Python
		if _, err := exec.LookPath("protoc"); err != nil {
			Skip("no protoc: on Debian, install protobuf-compiler")
		}
		snakes := python()
		s := newSession()
		tree := filepath.Join(s.folder, "tree")
		copyTree("../..", tree)

		By("writing it by hand")
		for _, e := range signalEdits {
			edit(filepath.Join(tree, e.file), e.after, e.after+e.insert)
		}
		edit(filepath.Join(tree, "emulator/wire/kinds.go"), "lastOfTree", strconv.Itoa(len(wire.Kinds())))
		source, err := os.ReadFile("testdata/packetgaps.go")
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(filepath.Join(tree, "nicd/packetgaps.go"), source, 0o644)).To(Succeed())
		byHand := changes("../..", tree)
		Expect(len(byHand)).To(BeNumerically("<=", 6), "%q", byHand)
		AddReportEntry("files written by hand", strings.Join(byHand, ", "))

		By("making the rest of it")
		s.run(0, "cd tree && go -C plugins/cc generate ./contract")
		made := slices.DeleteFunc(changes("../..", tree), func(f string) bool { return slices.Contains(byHand, f) })
		Expect(made).To(ConsistOf("plugins/cc/control/control.proto", "plugins/cc/control/control.pb.go",
			"plugins/python/rocelab/contract.py", "plugins/python/rocelab/control_pb2.py"))
		s.run(0, "cd tree && go test -short -vet=off ./emulator/wire/... ./plugins/eventlog ./nicd "+
			"github.com/rocelab/rocelab/plugins/cc/contract github.com/rocelab/rocelab/plugins/cc/control/generate")
		s.run(0, "cd tree && go build -o ../bin/ ./cmd/rocelab")
		s.path = filepath.Join(s.folder, "bin") + ":" + snakes + ":" + s.path

		By("deciding by it in Go and in Python, outside the tree")
		s.run(0, "rocelab algorithm new mine && rocelab algorithm new snake --lang python")
		edit(filepath.Join(s.folder, "mine/algorithm.go"), "Acks: true", "Acks: true, PacketGaps: true")
		edit(filepath.Join(s.folder, "mine/sender.go"), "s.adjust(e.RTT - s.baseRTT)",
			"s.adjust(e.RTT - s.baseRTT + e.ArrivalGap - e.SentGap)")
		edit(filepath.Join(s.folder, "snake/algorithm.py"), "acks=True", "acks=True, packet_gaps=True")
		edit(filepath.Join(s.folder, "snake/algorithm.py"), "self.adjust(event.rtt - self.base_rtt)",
			"self.adjust(event.rtt - self.base_rtt + event.arrival_gap - event.sent_gap)")
		s.run(0, "cd mine && go build -o ../plugins/ ./cc-mine")
		const both = " --plugin-dir plugins --plugin-dir snake --algorithm mine --algorithm snake"
		runs := s.runs("rocelab run snake/incast.yaml" + both)
		Expect(runs["snake"].Metrics["decisions"]).To(BeNumerically(">", 100))
		Expect(runs["snake"].Trace).To(Equal(runs["mine"].Trace))

		By("finding it in an event log, which a replay reads")
		s.run(0, "rocelab run snake/incast.yaml --plugin-dir plugins --algorithm mine --event-log 0 --capture h0 --out out")
		gaps := loggedGaps(filepath.Join(s.folder, "out"))
		Expect(len(gaps)).To(BeNumerically(">", 100))
		Expect(gaps).To(ContainElement(BeNumerically(">", 100_000)), "ps")
		s.run(0, "rocelab algorithm replay out --plugin-dir plugins")

		By("finding its bytes on the wire")
		names, err := filepath.Glob(filepath.Join(s.folder, "out", "*", "*.pcapng"))
		Expect(err).NotTo(HaveOccurred())
		Expect(names).To(HaveLen(1))
		file, err := os.ReadFile(names[0])
		Expect(err).NotTo(HaveOccurred())
		kinds := map[int]int{}
		for _, f := range lab.Frames(file) {
			if bth := lab.BTH(f.Decode()); bth != nil {
				kinds[int(bth.Extension)]++
			}
		}
		Expect(kinds).To(HaveLen(2))
	})
})

// copyTree copies the project but for its history and the results of runs.
func copyTree(from, to string) {
	GinkgoHelper()
	for _, name := range files(from) {
		data, err := os.ReadFile(filepath.Join(from, name))
		Expect(err).NotTo(HaveOccurred())
		Expect(os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(to, name), data, 0o644)).To(Succeed())
	}
}

// files returns the regular files of a tree by their paths in it.
func files(root string) (names []string) {
	GinkgoHelper()
	Expect(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); path != root && strings.HasPrefix(name, ".") {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() {
			name, err := filepath.Rel(root, path)
			names = append(names, name)
			return err
		}
		return nil
	})).To(Succeed())
	return names
}

// changes returns the files of a copy that differ from the original's.
func changes(original, copied string) (names []string) {
	GinkgoHelper()
	for _, name := range files(copied) {
		was, _ := os.ReadFile(filepath.Join(original, name)) // none of a new file
		is, err := os.ReadFile(filepath.Join(copied, name))
		Expect(err).NotTo(HaveOccurred())
		if !bytes.Equal(was, is) {
			names = append(names, name)
		}
	}
	return names
}

// edit replaces text that a file has.
func edit(file, old, text string) {
	GinkgoHelper()
	data, err := os.ReadFile(file)
	Expect(err).NotTo(HaveOccurred())
	Expect(string(data)).To(ContainSubstring(old), file)
	Expect(os.WriteFile(file, []byte(strings.ReplaceAll(string(data), old, text)), 0o644)).To(Succeed())
}

// loggedGaps returns the gaps in ps in the event logs of a run.
func loggedGaps(folder string) (gaps []int) {
	GinkgoHelper()
	for _, name := range files(folder) {
		if !strings.Contains(name, "events") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, name))
		Expect(err).NotTo(HaveOccurred())
		for line := range bytes.Lines(data) {
			var call struct {
				Gap int `json:"arrival_gap_ps"`
			}
			if json.Unmarshal(line, &call) == nil && call.Gap > 0 {
				gaps = append(gaps, call.Gap)
			}
		}
	}
	return gaps
}
