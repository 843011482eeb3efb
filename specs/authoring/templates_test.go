package authoring

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/wire"
	roce "github.com/rocelab/rocelab/emulator/wire/layers"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// variant is a run in the output of --format json.
type variant struct {
	Name    string             `json:"variant"`
	Trace   string             `json:"trace"`
	Metrics map[string]float64 `json:"metrics"`
}

func (s *session) runs(line string) map[string]variant {
	GinkgoHelper()
	var out struct {
		Runs []variant `json:"runs"`
	}
	text := s.run(0, line+" --no-folder --format json --progress none")
	Expect(json.Unmarshal([]byte(text[strings.Index(text, "{"):]), &out)).To(Succeed(), text)
	byName := map[string]variant{}
	for _, v := range out.Runs {
		byName[v.Name] = v
	}
	return byName
}

var _ = Describe("What rocelab algorithm new makes", func() {
	var s *session
	BeforeEach(func() { s = newSession() })

	It("with --template receiver has the receiver share its port evenly", func() {
		s.run(0, "rocelab algorithm new yours --template receiver && cd yours && go build -o ../plugins/ ./cc-yours")
		m := s.runs("rocelab run yours/incast.yaml --plugin-dir plugins")["yours"].Metrics
		Expect(m["jain"]).To(BeNumerically(">", 0.999))
		Expect(m["utilisation"]).To(BeNumerically(">", 0.9))
		Expect(m["drops"]).To(BeZero())
	})

	It("with --template receiver puts a rate into data and ACKs, eight bytes of the wire each", func() {
		s.run(0, "rocelab algorithm new yours --template receiver && cd yours && go build -o ../plugins/ ./cc-yours")
		s.run(0, "rocelab run yours/incast.yaml --plugin-dir plugins --algorithm yours --set traffic.size=20KB --capture "+
			"h0 --out run")
		names, err := filepath.Glob(filepath.Join(s.folder, "run", "yours", "*.pcapng"))
		Expect(err).NotTo(HaveOccurred())
		Expect(names).To(HaveLen(1))
		file, err := os.ReadFile(names[0])
		Expect(err).NotTo(HaveOccurred())
		asked, told := map[uint32]int{}, map[uint32]int{} // kb/s
		for _, f := range lab.Frames(file) {
			p := f.Decode()
			e, _ := p.Layer(roce.LayerTypeExtension).(*roce.Extension)
			Expect(e).NotTo(BeNil(), "%v", p)
			Expect(e.Type).To(Equal(wire.ExtOwn))
			Expect(e.LayerContents()).To(HaveLen(8))
			rates := told
			if lab.IsData(lab.BTH(p)) {
				rates = asked
			}
			rates[binary.BigEndian.Uint32(e.Own)]++
		}
		Expect(asked).To(Equal(map[uint32]int{100_000_000: 20}))
		Expect(told).To(HaveKey(uint32(95_000_000 / 8)))
	})

	It("keeps the queue that it promises, far below DCQCN's", func() {
		s.run(0, "rocelab algorithm new mine && cd mine && go build -o ../plugins/ ./cc-mine")
		runs := s.runs("rocelab run mine/incast.yaml --plugin-dir plugins")
		Expect(runs["mine"].Metrics["queueing_p50_us"]).To(BeNumerically("<", 10))
		Expect(runs["mine"].Metrics["utilisation"]).To(BeNumerically(">", 0.9))
		Expect(runs["mine"].Metrics["jain"]).To(BeNumerically(">", 0.99))
	})

	It("in Python does what it does in Go, to the bit", func() {
		s.path = programs + ":" + python() + ":" + s.path
		s.run(0, "rocelab algorithm new mine && cd mine && go build -o ../plugins/ ./cc-mine")
		s.run(0, "rocelab algorithm new snake --lang python")
		runs := s.runs("rocelab run snake/incast.yaml --plugin-dir plugins --plugin-dir snake --algorithm mine " +
			"--algorithm snake")
		Expect(runs["snake"].Metrics["decisions"]).To(BeNumerically(">", 100))
		Expect(runs["snake"].Trace).NotTo(BeEmpty())
		Expect(runs["snake"].Trace).To(Equal(runs["mine"].Trace))
	})

	It("in Python names flow, event and line of a mistake, and the run ends as the algorithm's fault", func() {
		s.path = programs + ":" + python() + ":" + s.path
		s.run(0, "rocelab algorithm new snake --lang python")
		s.run(0, "sed -i 's/met = .*/met = self.tenth/' snake/algorithm.py")
		out := s.run(5, "rocelab run snake/incast.yaml --plugin-dir snake --algorithm snake --no-folder")
		Expect(out).To(And(ContainSubstring("failed at the ACK event of flow "),
			ContainSubstring("AttributeError: 'Sender' object has no attribute 'tenth' (algorithm.py, line ")))
	})
})
