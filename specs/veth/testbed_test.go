package veth

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/internal/middle"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// named are the names of all testbeds of the suite.
var named []string

func newName() string {
	name := fmt.Sprintf("spec-%d-%d", os.Getpid(), len(named))
	named = append(named, name)
	return name
}

// shippedPlugins are the programs of the shipped algorithms.
func shippedPlugins() map[string]string {
	list := map[string]string{}
	for _, a := range shipped.All() {
		name := a.Describe().Name
		list[name] = filepath.Join(plugins(), "cc-"+name)
	}
	return list
}

// config completes a testbed's configuration: a name, the built-in runtime and
// the released daemons, unless something else is given.
func config(c veth.Config) veth.Config {
	c.Name = newName()
	if c.Runtime == "" {
		c.Runtime = container.Builtin
	}
	if c.Program == "" {
		c.Program = program("rocelab")
	}
	return c
}

// deploy brings a testbed up, for as long as the spec lasts; the spec may destroy
// it before.
func deploy(p *plan.Plan, c veth.Config) *veth.Testbed {
	GinkgoHelper()
	b, err := veth.Deploy(context.Background(), p, config(c))
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { Expect(b.Destroy(context.Background())).To(Succeed()) })
	return b
}

// tamperWith puts a man in the middle of a link, for as long as the spec lasts; the spec
// may close him before.
func tamperWith(b *veth.Testbed, number int, pass middle.Tamper) *middle.Man {
	GinkgoHelper()
	m, err := middle.Enter(b.State, number, pass)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(m.Close)
	return m
}

// runOn runs a plan on a testbed.
func runOn(b *veth.Testbed, p *plan.Plan, o veth.Options) *lab.Run {
	GinkgoHelper()
	out, err := b.Run(context.Background(), p, o)
	Expect(err).NotTo(HaveOccurred())
	Expect(out.Interrupted).To(BeFalse())
	return lab.Judge(out)
}

// inMemory runs a plan in this process.
func inMemory(p *plan.Plan) *lab.Run { return lab.Do(p, lab.Options{Lossy: true}) }

// equalRuns are the criteria of a run that is another, carried out by other means.
func equalRuns(want, got *lab.Run) (c lab.Criteria) {
	c.Want(got.Trace == want.Trace, "trace %016x instead of %016x", got.Trace, want.Trace)
	c.Want(got.End == want.End, "end at %v instead of %v", got.End, want.End)
	c.Want(got.Hops == want.Hops, "%d hops instead of %d", got.Hops, want.Hops)
	files, wanted := got.Files(), want.Files()
	c.Want(len(files) == len(wanted), "%d files instead of %d", len(files), len(wanted))
	for name, text := range wanted {
		c.Want(files[name] == text, "%s differs", name)
	}
	return c
}

// expectSame insists on these criteria.
func expectSame(want, got *lab.Run, how string, args ...any) {
	GinkgoHelper()
	c := equalRuns(want, got)
	Expect(c.Missed).To(BeEmpty(), fmt.Sprintf(how, args...))
}

// during calls do while a run of p is under way, and cancels the run then.
func during(b *veth.Testbed, p *plan.Plan, o veth.Options, do func()) {
	GinkgoHelper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := begin(ctx, b, p, o)
	do()
	cancel()
	var e ending
	Eventually(ended, "60s").Should(Receive(&e))
	Expect(e.err).NotTo(HaveOccurred())
	Expect(e.Interrupted).To(BeTrue())
}

// ending is the result of a run.
type ending struct {
	*result.Outcome
	err error
}

// begin starts a run and returns when it is under way.
func begin(ctx context.Context, b *veth.Testbed, p *plan.Plan, o veth.Options) <-chan ending {
	GinkgoHelper()
	var once sync.Once
	underWay, ended := make(chan struct{}), make(chan ending, 1)
	o.Progress = func(now model.Progress) {
		if now.Hops > 0 {
			once.Do(func() { close(underWay) })
		}
	}
	go func() {
		out, err := b.Run(ctx, p, o)
		ended <- ending{out, err}
	}()
	select {
	case <-underWay:
	case e := <-ended:
		Fail(fmt.Sprintf("the run ended before it was under way: %v", e.err))
	}
	return ended
}
