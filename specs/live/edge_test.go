package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/vishvananda/netlink"

	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/live/iface"
	"github.com/rocelab/rocelab/testbed/nodes/live/iface/ifacetest"
	"github.com/rocelab/rocelab/testbed/nodes/live/replay"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// twoEdges is a switch between the devices of two hosts, whose links have rates of 1 Gb/s, or the given ones.
func twoEdges(middle string, until time.Duration, more string, rates ...string) *plan.Plan {
	GinkgoHelper()
	rates = append(rates, "1Gbps", "1Gbps")
	return lab.Plans(fmt.Sprintf(`
name: hosts
run: {until: %v}
topology:
  kind: explicit
  nodes:
    - {name: s0, kind: switch}
    - {name: a, kind: edge, interface: out0, namespace: %[2]s}
    - {name: b, kind: edge, interface: out1, namespace: %[2]s}
  links:
    - {endpoints: [a, s0], rate: %[4]s}
    - {endpoints: [b, s0], rate: %[5]s}
%[3]s`, until, middle, more, rates[0], rates[1]))[0]
}

// recorded runs a plan with journals in a folder, and returns that.
func recorded(b *veth.Testbed, p *plan.Plan, o veth.Options) (r *lab.Run, folder string) {
	GinkgoHelper()
	folder, err := os.MkdirTemp("", "rocelab-live-")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(os.RemoveAll, folder)
	recording, err := replay.Record(p, func(name string) (*os.File, error) {
		place := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
			return nil, err
		}
		return os.Create(place)
	}, o.Dilation, 0)
	Expect(err).NotTo(HaveOccurred())
	o.Journals = recording.Journals
	r = runLive(b, p, o)
	remarks, err := recording.Close()
	Expect(err).NotTo(HaveOccurred())
	Expect(remarks).To(BeEmpty())
	return r, folder
}

// replayed runs a plan in memory with the journals in a folder.
func replayed(p *plan.Plan, folder string) *lab.Run {
	GinkgoHelper()
	return lab.Do(p, lab.Options{Lossy: true, Options: mem.Options{Edges: journals(folder)}})
}

// journals are those in a folder.
func journals(folder string) func(edge string) *journal.Reader {
	GinkgoHelper()
	journals := map[string]*journal.Reader{}
	for _, edge := range []string{"a", "b"} {
		r, err := journal.Open(edge, readJournal(folder, edge))
		Expect(err).NotTo(HaveOccurred())
		journals[edge] = r
	}
	return func(edge string) *journal.Reader { return journals[edge] }
}

func readJournal(folder, edge string) *bytes.Reader {
	GinkgoHelper()
	b, err := os.ReadFile(filepath.Join(folder, "edges", edge+".journal"))
	Expect(err).NotTo(HaveOccurred())
	return bytes.NewReader(b)
}

// expectReplay insists that a replay in memory is the run itself, that a damaged journal is refused,
// and that a frame with another bit makes another run.
func expectReplay(p *plan.Plan, folder string, got *lab.Run) {
	GinkgoHelper()
	again := replayed(p, folder)
	Expect(fmt.Sprintf("%016x", again.Trace)).To(Equal(fmt.Sprintf("%016x", got.Trace)))
	Expect(again.End).To(Equal(got.End))
	Expect(again.Hops).To(Equal(got.Hops))
	files := got.Files()
	for name, text := range again.Files() {
		if filepath.Ext(name) == ".csv" {
			Expect(files[name]).To(Equal(text), name)
		}
	}
	Expect(files).To(HaveKey("edges.csv"))

	whole, err := io.ReadAll(readJournal(folder, "a"))
	Expect(err).NotTo(HaveOccurred())
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 1
	_, err = journal.Open("a", bytes.NewReader(damaged))
	Expect(err).To(MatchError(ContainSubstring("journal a: at offset")))

	r, err := journal.Open("a", bytes.NewReader(whole))
	Expect(err).NotTo(HaveOccurred())
	var other bytes.Buffer
	w, err := journal.NewWriter(&other, r.Header(), 0)
	Expect(err).NotTo(HaveOccurred())
	frames := uint64(0)
	for e := (journal.Entry{}); ; {
		more, err := r.Next(&e)
		Expect(err).NotTo(HaveOccurred())
		if !more {
			break
		}
		frame := bytes.Clone(e.Frame)
		if frames++; frames == r.Footer().Frames/2 {
			frame[len(frame)-1] ^= 1
		}
		w.Add(e.Came, e.Taken, frame)
	}
	Expect(w.Close(r.Footer().End)).To(Succeed())
	Expect(os.WriteFile(filepath.Join(folder, "edges", "a.journal"), other.Bytes(), 0o600)).To(Succeed())
	Expect(replayed(p, folder).Trace).NotTo(Equal(got.Trace))
}

// onceBegun calls do when the windows of a run go on.
func onceBegun(do func()) func(model.Progress) {
	begun := false
	return func(p model.Progress) {
		if !begun && p.Now > 0 {
			begun = true
			do()
		}
	}
}

// report prints how a run kept the clock, at its edges too.
func report(what string, r *lab.Run) {
	t := lagTable()
	lagRow(t, r.Daemons, r)
	for i := range r.Time.Edges {
		e := &r.Time.Edges[i]
		t.Remark("edge %s: %d in, %d out, lateness p50 %d us, p99 %d us, max %d us; %d moved; lost %v", e.Name, e.Received,
			e.Sent, e.Lateness.Quantile(0.5)/1000, e.Lateness.Quantile(0.99)/1000, e.Lateness.Max()/1000, e.Moved, e.Lost)
	}
	t.Report(what)
}

var _ = Describe("two hosts that nobody of ours wrote", Label("live"), func() {
	It("reach each other by ping through two edges and a switch", func() {
		lab.Tool("ping")
		hosts, middle := pairOfHosts(1500)
		p := twoEdges(middle, 4*time.Second, "")
		b := deploy(p, veth.Pool)
		var ping *running
		begun := onceBegun(func() { ping = start(hosts[0], "ping -n -c 5 -i 0.2 -W 3 "+hosts[1].IP.String()) })
		got, folder := recorded(b, p, veth.Options{Dilation: 1, Progress: begun})
		Expect(ping.said(10 * time.Second)).To(ContainSubstring(" 0% packet loss"))
		Expect(got.Time.Edges[0].Received).To(BeNumerically(">=", 5))
		Expect(got.Time.Edges[1].Sent).To(BeNumerically(">=", 5))
		expectReplay(p, folder, got)
		fmt.Fprintln(GinkgoWriter, ping.text())
		report("ping through a switch", got)
	})
})

var _ = Describe("an edge", Label("live"), func() {
	It("is refused an interface that is in use, and gives back what it took as it was", func() {
		_, middle := pairOfHosts(1500)
		p := twoEdges(middle, 50*time.Millisecond, "")
		b := deploy(p, veth.Pool)
		before := settings(middle)
		// An unreadable record of another run is named, and not in the way.
		damaged := filepath.Join(veth.Root(), ".interfaces", "1-1.json")
		Expect(os.MkdirAll(filepath.Dir(damaged), 0o700)).To(Succeed())
		Expect(os.WriteFile(damaged, nil, 0o600)).To(Succeed())
		DeferCleanup(os.RemoveAll, filepath.Dir(damaged))
		got := runLive(b, p, veth.Options{Dilation: 1})
		Expect(got.Remarks).To(ContainElement(ContainSubstring(damaged)))
		Expect(os.Remove(damaged)).To(Succeed())
		Expect(settings(middle)).To(Equal(before))

		Expect(netns.In(middle, func() error {
			out1, err := netlink.LinkByName("out1")
			if err != nil {
				return err
			}
			address, err := netlink.ParseAddr("192.0.2.1/24")
			if err != nil {
				return err
			}
			return netlink.AddrAdd(out1, address)
		})).To(Succeed())
		before = settings(middle)
		_, err := b.Run(context.Background(), p, veth.Options{Dilation: 1})
		refusal, ok := errors.AsType[*iface.Refusal](err)
		Expect(ok).To(BeTrue(), "%v", err)
		Expect(refusal.Error()).To(ContainSubstring("192.0.2.1"))
		Expect(settings(middle)).To(Equal(before))
	})

	It("is refused where no clock is kept", func() {
		_, middle := pairOfHosts(1500)
		p := twoEdges(middle, time.Millisecond, "")
		b := deploy(p, veth.Pool)
		_, err := b.Run(context.Background(), p, veth.Options{})
		Expect(err).To(MatchError(ContainSubstring("a is an edge, where frames come in from outside: run it with --on live")))
	})
})

// settings returns the settings of the interfaces of a namespace.
func settings(namespace string) (s ifacetest.Snapshot) {
	GinkgoHelper()
	Expect(netns.In(namespace, func() (err error) {
		s, err = ifacetest.Take()
		return err
	})).To(Succeed())
	return s
}
