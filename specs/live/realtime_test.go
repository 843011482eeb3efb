package live

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/live/bump"
	"github.com/rocelab/rocelab/testbed/nodes/live/realtime"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// spinner is an algorithm that breaks the contract: its first decision takes 1.8 s.
type spinner struct{ cc.Algorithm }

func (s spinner) Describe() cc.Description {
	d := s.Algorithm.Describe()
	d.Name = "spin"
	return d
}

func (s spinner) New(params cc.Params) (cc.Controller, error) {
	c, err := s.Algorithm.New(params)
	return spinning{c}, err
}

type spinning struct{ cc.Controller }

func (s spinning) NewSender(facts cc.Facts) cc.Sender {
	return &spinningSender{Sender: s.Controller.NewSender(facts)}
}

type spinningSender struct {
	cc.Sender
	once sync.Once
}

func (s *spinningSender) Handle(e *cc.Event, d *cc.Decision) {
	s.once.Do(func() {
		for begin := time.Now(); time.Since(begin) < 1800*time.Millisecond; {
		}
	})
	s.Sender.Handle(e, d)
}

// find knows the spinner too; the daemons of these specs ask it.
func find(name string) (cc.Algorithm, bool) {
	if name == "spin" {
		none, ok := shipped.Find("none")
		return spinner{none}, ok
	}
	return shipped.Find(name)
}

// echoes are processes that answer requests; one of them is asked every 10 ms.
type echoes struct {
	longest atomic.Int64
	asked   atomic.Int64
	over    chan struct{}
	group   sync.WaitGroup
}

func newEchoes(count int) *echoes {
	GinkgoHelper()
	e := &echoes{over: make(chan struct{})}
	for range count {
		cat := exec.Command("cat")
		in, err := cat.StdinPipe()
		Expect(err).NotTo(HaveOccurred())
		out, err := cat.StdoutPipe()
		Expect(err).NotTo(HaveOccurred())
		Expect(cat.Start()).To(Succeed())
		e.group.Go(func() {
			defer cat.Wait()
			defer in.Close()
			e.ask(in, out)
		})
	}
	return e
}

func (e *echoes) ask(in io.Writer, out io.Reader) {
	var b [1]byte
	for {
		select {
		case <-e.over:
			return
		case <-time.After(10 * time.Millisecond):
		}
		began := time.Now()
		if _, err := in.Write(b[:]); err != nil {
			return
		}
		if _, err := out.Read(b[:]); err != nil {
			return
		}
		took := int64(time.Since(began))
		for old := e.longest.Load(); took > old && !e.longest.CompareAndSwap(old, took); old = e.longest.Load() {
		}
		e.asked.Add(1)
	}
}

// end returns the longest time that an answer took, and how many there were.
func (e *echoes) end() (longest time.Duration, asked int64) {
	close(e.over)
	e.group.Wait()
	return time.Duration(e.longest.Load()), e.asked.Load()
}

var _ = Describe("real-time priority", Label("live", "slow"), func() {
	BeforeEach(func() {
		lab.SkipUnlessSlow()
		if err := realtime.Check(); err != nil {
			Skip(err.Error())
		}
	})

	// Mutant: a guard that looks and takes nothing away. The kernel kills only what does not wait at all, and the Go
	// runtime has this thread wait now and then.
	It("is taken from a thread that spins, which is named, and the host answers meanwhile", func() {
		s, err := scenario.Parse("spin.yaml", []byte(`
name: spin
run: {until: 3s}
algorithm: spin
topology: {kind: star, hosts: 3, rate: 1Gbps, latency: 100us}
switch: {pfc: {enabled: false}}
traffic: [{name: late, from: h0, to: h2, size: 10KB, start: 500ms}]
`), model.Checker(find))
		Expect(err).NotTo(HaveOccurred())
		plans, err := s.Plans()
		Expect(err).NotTo(HaveOccurred())
		b := deploy(plans[0], veth.PerServer)
		e := newEchoes(2 * runtime.NumCPU())
		got := runLive(b, plans[0], veth.Options{Dilation: 1, Realtime: true})
		longest, asked := e.end()
		if _, err := os.Stat("/sys/fs/cgroup/cpu/cpu.rt_runtime_us"); err == nil && !got.Time.Priorities[0].Given {
			Skip(got.Time.Priorities[0].Lost)
		}
		t := lagTable()
		lagRow(t, "a thread that spins", got)
		t.Remark("the longest of %d answers of other processes took %v", asked, longest)
		for _, p := range got.Time.Priorities {
			t.Remark("%s: %t, %s", p.Participant, p.Given, p.Lost)
			Expect(p.Given).To(BeTrue(), p.Lost)
			if p.Participant == "nicd of h0" {
				Expect(p.Lost).To(ContainSubstring("taken away after"))
			} else {
				Expect(p.Lost).To(BeEmpty(), p.Participant)
			}
		}
		t.Report("real-time priority")
		Expect(got.Time.Priorities).To(HaveLen(4))
		Expect(got.Time.Standstills).NotTo(BeEmpty())
		Expect(asked).To(BeNumerically(">", 100))
		Expect(longest).To(BeNumerically("<", time.Second))
	})

	It("leaves the trace and the counters as they are", func() {
		p := incast(4, "100KB")
		got := runLive(deploy(p, veth.Pool), p, veth.Options{Dilation: 1000, Realtime: true})
		expectSame(p, got)
		Expect(got.Time.Priorities).To(HaveLen(1))
		Expect(got.Time.Priorities[0].Given).To(BeTrue(), got.Time.Priorities[0].Lost)
	})

	// Mutant: bump.Run that raises nothing.
	It("is the wire's too, and ends with it", func() {
		w := newWire(func(o *bump.Options) { o.Realtime = true })
		w.send(0, ethernet(0xBEEF, nil))
		got := w.receive(1, 10*time.Second)
		Expect(got).NotTo(BeNil())
		list := w.stop().Timing.Priorities
		Expect(list).To(HaveLen(1))
		Expect(list[0].Given).To(BeTrue(), list[0].Lost)
		Expect(list[0].Lost).To(BeEmpty())
	})
})
