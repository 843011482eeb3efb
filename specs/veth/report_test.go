package veth

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/model"
)

// lastReport is the last report of a run.
type lastReport struct{ last model.Progress }

func (r *lastReport) hear(p model.Progress) { r.last = p }

// expect insists that the last thing said is of the end of the run, and has what its summary has.
func (r *lastReport) expect(got *lab.Run, where string) {
	GinkgoHelper()
	tally, summary := &r.last.Tally, result.Summarise(got.Outcome)
	delivered := int64(0)
	for i := range got.Flows {
		delivered += int64(got.Flows[i].Receiver.Bytes)
	}
	Expect(r.last.Final).To(BeTrue(), where)
	Expect(r.last.Now).To(Equal(got.End), where)
	Expect(r.last.Hops).To(Equal(got.Hops), where)
	Expect(int64(tally.Delivered)).To(Equal(delivered), where)
	Expect([]uint64{tally.Completed, tally.Marks, tally.CNPs, tally.XOFFs, tally.Drops}).To(Equal([]uint64{
		summary.Completed, summary.Marks, summary.CNPs, summary.Pauses, summary.Drops,
	}), where+": completed, marks, CNPs, XOFFs, drops")
	Expect(tally.Sent).To(BeNumerically(">=", tally.Delivered), where)
	r.last = model.Progress{}
}
