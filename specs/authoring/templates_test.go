package authoring

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// variant is a run as --format json tells it.
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
		runs := s.runs("rocelab run snake/incast.yaml --plugin-dir plugins --plugin-dir snake --algorithm mine --algorithm snake")
		Expect(runs["snake"].Metrics["decisions"]).To(BeNumerically(">", 100))
		Expect(runs["snake"].Trace).NotTo(BeEmpty())
		Expect(runs["snake"].Trace).To(Equal(runs["mine"].Trace))
	})
})
