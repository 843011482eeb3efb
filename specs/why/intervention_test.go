package why

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// addsUp expects that the parts of every flow add up to its time and that none is negative, and that series add up to
// what clocks and ports counted.
func addsUp(run *lab.Run) {
	GinkgoHelper()
	Expect(run.Why).To(HaveLen(len(run.Flows)))
	for i := range run.Why {
		sender, total := run.Flows[i].Sender, unit.Duration(0)
		if sender.Started < run.End {
			total = min(sender.Completed, run.End).Sub(sender.Started)
		}
		Expect(run.Why[i].Total()).To(Equal(total), run.Plan.Flows[i].Name)
		Expect(sender.Spent.Total()).To(Equal(total), run.Plan.Flows[i].Name)
		for part, time := range run.Why[i].Parts {
			Expect(time).To(BeNumerically(">=", 0), "%s: %v", run.Plan.Flows[i].Name, attribution.Part(part))
		}
	}
	for i := range run.Flows {
		sender := run.Flows[i].Sender
		held := sender.Spent[record.Paced] + sender.Spent[record.WindowClosed]
		onWire := sumOf(&sender.Sends.Sending) - sender.Spent[record.Sending] // at the end of the run
		Expect(onWire).To(BeNumerically(">=", 0))
		Expect(onWire).To(BeNumerically("<", max(1, sender.Completed.Sub(run.End))), run.Plan.Flows[i].Name)
		Expect(sumOf(&sender.Sends.PortBusy)).To(Equal(sender.Spent[record.PortBusy]))
		Expect(sumOf(&sender.Sends.Held)).To(Equal(held))
	}
	for _, port := range run.NICs {
		Expect(sumOf(port.Load)).To(Equal(port.Busy))
	}
	for _, sw := range run.Switches {
		for _, port := range sw.Ports {
			Expect(sumOf(port.Load)).To(Equal(port.Busy))
		}
	}
}

// sumOf adds up a series of times.
func sumOf(series *record.Series) (sum unit.Duration) {
	for bin := range series.Len() {
		sum += unit.Duration(series.At(bin))
	}
	return sum + unit.Duration(series.Rest)
}

// causeOf explains the time of the first flow of a run.
func causeOf(run *lab.Run) *result.Cause {
	GinkgoHelper()
	addsUp(run)
	return &run.Why[0]
}

// lossOf is the time of a flow beyond the time that it takes by itself.
func lossOf(cause *result.Cause) unit.Duration { return cause.Total() - cause.Parts[attribution.Alone] }

// sends is the time to send packets of 1000 B: frames of 1082 B with preamble and gap.
func sends(packets, gbps int64) unit.Duration { return unit.Duration(packets * 1082 * 8000 / gbps) }

// crossing is the empty way of links of 1 us and 100 Gb/s, there and back, for a packet that the NIC has sent: its
// frame is sent again at each switch, and an ACK on each link.
func crossing(links int64) unit.Duration {
	return unit.Duration(2*links)*unit.Microsecond + sends(links-1, 100) + acks(links)
}

// acks is the time to send a number of ACKs at 100 Gb/s: 86 B with preamble and gap.
func acks(count int64) unit.Duration { return unit.Duration(count * 86 * 80) }

// tolerance is the relative error that a prediction may have.
const tolerance = 0.03

// intervention is a scenario with a part that is most of the loss, and the change that removes its cause. The
// predictions are arithmetic of bytes, rates and latencies, and were written down before the first run.
type intervention struct {
	part          attribution.Part
	with, without string // what stands for CAUSE in the scenario
	scenario      string
	// after is the predicted time of the first flow without the cause.
	after unit.Duration
	// others is the predicted growth of the other parts together when the cause is removed.
	others unit.Duration
}

func (i *intervention) run(cause string) *result.Cause {
	GinkgoHelper()
	text := strings.ReplaceAll(i.scenario, "CAUSE", cause)
	return causeOf(lab.Do(lab.Plans("name: why\n" + text)[0], lab.Options{Lossy: true}))
}

// try runs the scenario with the cause and without it.
func (i *intervention) try() {
	GinkgoHelper()
	with, without := i.run(i.with), i.run(i.without)
	AddReportEntry("with", with.Parts, ReportEntryVisibilityNever)
	AddReportEntry("without", without.Parts, ReportEntryVisibilityNever)
	Expect(with.Parts[i.part]).To(BeNumerically(">=", lossOf(with)*6/10), "with its cause: %v", with.Parts)
	Expect(without.Parts[i.part]).To(BeNumerically("<", with.Parts[i.part]/100), "without its cause: %v", without.Parts)
	near := func(of unit.Duration) unit.Duration { return unit.Whole[unit.Duration](tolerance * float64(of)) }
	Expect(without.Total()).To(BeNumerically("~", i.after, near(i.after)), "predicted: %v", without.Parts)
	fall := with.Total() - without.Total()
	Expect(fall).To(BeNumerically("~", with.Parts[i.part]-i.others, near(with.Total())),
		"the fall; with its cause: %v, without: %v", with.Parts, without.Parts)
	for _, cause := range []*result.Cause{with, without} {
		Expect(cause.Parts[attribution.Unresolved]).To(BeNumerically("<=", cause.Total()/50), "%v", cause.Parts)
	}
}
