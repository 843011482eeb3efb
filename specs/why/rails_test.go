package why

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// Two flows of one server leave by one NIC, or each by its own. With half of 100 Gb/s, f takes as much longer by 2 MB
// of the other one's: 176 us with headers. Tier: everyday, 0.1 s.
var _ = It("two flows at one NIC collide if another rail is idle", func() {
	run := func(other string) times {
		cause := causeOf(lab.Do(lab.Plans(fmt.Sprintf(`
name: why
topology: {kind: rail, groups: 2, servers_per_group: 2, nics_per_server: 2, spines: 2, uplinks: 1}
algorithm: swift
traffic:
  - {name: f, from: h0, to: h2, size: 2MB}
  - {name: g, %s, size: 4MB}
`, other))[0], lab.Options{}))
		return times{cause.Total().Microseconds(), cause.Parts[attribution.Collision].Microseconds()}
	}
	one, two := run("from: h0, to: h4"), run("from: h1, to: h5")
	Expect(one.collision).To(BeNumerically("~", 175.7, 2))
	Expect(two.collision).To(BeZero())
	Expect(one.total - two.total).To(BeNumerically("~", one.collision, 2))
})

// times of a flow, in microseconds.
type times struct{ total, collision float64 }
