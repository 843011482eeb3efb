package live

import (
	"context"
	"fmt"
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// TestMain has the test binary set up containers and be the daemons in them.
func TestMain(m *testing.M) {
	container.Init()
	daemon.Become(daemon.Host{Builtin: find, Start: process.Run})
	os.Exit(m.Run())
}

func TestLive(t *testing.T) { lab.Suite(t, "Live") }

var _ = BeforeSuite(func() {
	tier.Root(GinkgoT(), "a testbed")
	if err := doctor.Required(); err != nil {
		Skip(err.Error())
	}
	Expect(os.Setenv("ROCELAB_RUN", fmt.Sprintf("/run/rocelab-live-%d", os.Getpid()))).To(Succeed())
	DeferCleanup(func() {
		Expect(veth.Root()).NotTo(BeADirectory())
		Expect(os.Unsetenv("ROCELAB_RUN")).To(Succeed())
	})
})

// deploy brings a testbed up, for as long as the spec lasts.
func deploy(p *plan.Plan, daemons veth.Daemons) *veth.Testbed {
	GinkgoHelper()
	deployed++
	b, err := veth.Deploy(context.Background(), p, veth.Config{
		Name:      fmt.Sprintf("live-%d-%d", os.Getpid(), deployed),
		Runtime:   container.Builtin,
		Daemons:   daemons,
		Ephemeral: true,
	})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { Expect(b.Destroy(context.Background())).To(Succeed()) })
	return b
}

// deployed counts the testbeds, which have names by it.
var deployed int

// runLive runs a plan on a testbed, held to the clock.
func runLive(b *veth.Testbed, p *plan.Plan, o veth.Options) *lab.Run {
	GinkgoHelper()
	out, err := b.Run(context.Background(), p, o)
	Expect(err).NotTo(HaveOccurred())
	Expect(out.Runner).To(Equal("live"))
	Expect(out.Time).NotTo(BeNil())
	Expect(out.Time.Dilation).To(Equal(o.Dilation))
	return lab.Judge(out)
}
