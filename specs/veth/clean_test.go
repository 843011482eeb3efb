package veth

import (
	"context"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// many is a scenario of many hosts at one switch.
const many = `
name: many
algorithm: dcqcn
topology: {kind: star, hosts: %d}
switch: {buffer: 64MB}
traffic: [{kind: incast, size: 10KB}]
`

// few is one of five.
const few = `
name: few
algorithm: dcqcn
topology: {kind: star, hosts: 4}
traffic: [{kind: incast, size: 100KB}]
`

// endless never ends by itself.
var endless = strings.Replace(few, "size: 100KB", "size: 100GB", 1)

// leavesNothing insists that do leaves the host as it was. The kernel lets go
// of processes a moment after they ended, and of what they held.
func leavesNothing(do func()) {
	GinkgoHelper()
	before := takeFootprint()
	do()
	Eventually(func() footprint { return takeFootprint().beyond(before) }, "10s").Should(BeEmpty())
}

// usable skips a spec about a runtime that this host does not have.
func usable(runtime string) {
	if _, err := container.Find(runtime); err != nil {
		Skip(err.Error(), 1)
	}
}

// upAndDown brings up a testbed of n nodes, runs on it, destroys it, and counts what exists meanwhile.
func upAndDown(n int, runtime string) {
	GinkgoHelper()
	t := lab.NewTable(append([]string{fmt.Sprintf("%d nodes by %s", n, runtime)}, append(present, descriptors)...)...)
	row := func(when string) footprint {
		f := takeFootprint()
		t.Row(append([]any{when}, f.counts()...)...)
		return f
	}
	leavesNothing(func() {
		p := lab.Plans(fmt.Sprintf(many, n-1))[0]
		row("before")
		b := deploy(p, veth.Config{Runtime: runtime})
		up := row("up")
		for _, kind := range present {
			Expect(len(up[kind])).To(BeNumerically(">=", n), kind)
		}
		Expect(up[processes]).To(HaveLen(n))
		Expect(up[networks]).To(HaveLen(n))
		Expect(up[interfaces]).To(BeEmpty())
		expectSame(inMemory(p), runOn(b, p, veth.Options{}), "%d nodes", n)
		row("after a run")
		Expect(b.Destroy(context.Background())).To(Succeed())
		row("destroyed")
	})
	t.Report("what is there")
}

var _ = Describe("a testbed that is gone", Label("veth", "clean"), func() {
	for _, runtime := range []string{container.Builtin, container.Runc} {
		Describe("and was run by "+runtime, Label(runtime), func() {
			BeforeEach(func() { usable(runtime) })

			It("leaves nothing of 40 nodes", func() { upAndDown(40, runtime) })

			It("leaves nothing of 400 nodes", Label("slow"), func() {
				lab.SkipUnlessSlow()
				upAndDown(400, runtime)
			})

			It("leaves nothing after a cancelled run with algorithms as processes", func() {
				leavesNothing(func() {
					p := lab.Plans(endless)[0]
					b := deploy(p, veth.Config{Runtime: runtime, Plugins: shippedPlugins()})
					during(b, p, veth.Options{Plugins: shippedPlugins()}, func() {})
					Expect(b.Destroy(context.Background())).To(Succeed())
				})
			})

			It("leaves nothing after a run that failed", func() {
				leavesNothing(func() {
					p := lab.Plans(few)[0]
					number, name := linkOf(p, 1)
					m := &meddler{at: halfway, with: func([]byte) int { return 2 }}
					b := deploy(p, veth.Config{Runtime: runtime})
					man := tamperWith(b, number, m.tamper)
					_, err := b.Run(context.Background(), p, veth.Options{})
					Expect(err).To(MatchError(ContainSubstring("link " + name)))
					Expect(man.Close()).To(Succeed())
					Expect(b.Destroy(context.Background())).To(Succeed())
				})
			})

			DescribeTable("leaves nothing when it is given up while it comes up", func(what string) {
				leavesNothing(func() {
					ctx, cancel := context.WithCancel(context.Background())
					defer cancel()
					_, err := veth.Deploy(ctx, lab.Plans(few)[0],
						config(veth.Config{Runtime: runtime, Progress: func(done string, _, _ int) {
							if done == what {
								cancel()
							}
						}}))
					Expect(err).To(MatchError(context.Canceled))
				})
			},
				Entry("with namespaces alone", "namespaces"),
				Entry("with links", "links"),
				Entry("with containers", "containers"),
			)
		})
	}
})
