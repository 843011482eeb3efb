package live

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// incast is the example of an incast with fewer senders.
func incast(senders int, size string) *plan.Plan {
	return lab.Load("../scenarios/incast.yaml", map[string]string{
		"topology.hosts":   fmt.Sprint(senders + 1),
		"traffic.senders":  fmt.Sprint(senders),
		"traffic.receiver": fmt.Sprint("h", senders),
		"traffic.size":     size,
	})[0]
}

// expectSame insists on the trace and the counters of the run in memory.
func expectSame(p *plan.Plan, got *lab.Run) {
	GinkgoHelper()
	want := lab.Do(p, lab.Options{Lossy: true})
	Expect(fmt.Sprintf("%016x", got.Trace)).To(Equal(fmt.Sprintf("%016x", want.Trace)))
	Expect(got.End).To(Equal(want.End))
	Expect(got.Hops).To(Equal(want.Hops))
}

// lagRow adds how a run kept the clock to a table.
func lagRow(t *lab.Table, how string, r *lab.Run) {
	us := func(q float64) string { return fmt.Sprintf("%.0f", float64(r.Time.Lag.Quantile(q))/1e3) }
	t.Row(how, r.Time.Dilation, r.Windows, fmt.Sprintf("%.0f", float64(r.Wall)/1e6), us(0.5), us(0.99), us(1),
		len(r.Time.Standstills))
}

func lagTable() *lab.Table {
	return lab.NewTable("daemon per", "K", "windows", "wall ms", "lag p50 us", "p99", "max", "standstills")
}

var _ = Describe("an incast of NICs of ours, held to the clock", Label("live"), func() {
	// Control: a window that is granted before its time ends the run.
	It("has the trace of the run in memory, at K = 1 and at K = 1000", func() {
		p, t := incast(4, "100KB"), lagTable()
		for _, daemons := range []veth.Daemons{veth.PerServer, veth.Pool} {
			b := deploy(p, daemons)
			for _, k := range []int64{1, 1000} {
				got := runLive(b, p, veth.Options{Dilation: k})
				expectSame(p, got)
				lags := got.Time.Lag
				Expect(lags.Count()).To(Equal(got.Windows))
				lagRow(t, string(daemons), got)
			}
		}
		t.Report("an incast held to the clock")
	})

	// Control: without the move of the epoch, model time would catch up.
	It("has its epoch moved by a daemon that is stopped, and says by which", func() {
		p := incast(4, "400KB")
		b := deploy(p, veth.PerServer)
		pid := 0
		for i := range b.Containers {
			if b.Containers[i].Name == "s0" {
				pid = b.Containers[i].Pid
			}
		}
		Expect(pid).NotTo(BeZero())
		var stopped time.Duration
		got := runLive(b, p, veth.Options{Dilation: 10_000, Progress: onceBegun(func() {
			began := time.Now()
			unix.Kill(pid, unix.SIGSTOP)
			time.Sleep(time.Second)
			unix.Kill(pid, unix.SIGCONT)
			stopped = time.Since(began)
		})})
		Expect(stopped).NotTo(BeZero(), "the run was over too soon")
		expectSame(p, got)
		var ofSwitch []result.Standstill
		for _, s := range got.Time.Standstills {
			if s.Who == "switchd of s0" {
				ofSwitch = append(ofSwitch, s)
			}
		}
		Expect(ofSwitch).NotTo(BeEmpty(), "standstills: %v", got.Time.Standstills)
		Expect(ofSwitch[0].Took).To(BeNumerically(">", pace.Standstill))
		Expect(ofSwitch[0].At).To(BeNumerically(">", 0))
		t := lagTable()
		lagRow(t, "server", got)
		t.Remark("the switch's daemon was stopped for %v; the epoch moved by %v at %v", stopped.Round(time.Millisecond),
			ofSwitch[0].Took.Round(time.Millisecond), ofSwitch[0].At)
		t.Report("a daemon that is stopped")
	})
})
