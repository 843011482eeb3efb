package result

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/record"
)

// TransportFigures describe the transport at the two ends of the flows: round trips, and the losses on them.
type TransportFigures struct {
	RTT, RTTSample Distribution
	// Swing is the distance of sampled RTTs from their running average, NaN without samples.
	Swing float64
	// ResentShare is the share of data packets; NaN if there were none.
	ResentShare                 float64
	Retransmits, NAKs, Timeouts uint64
	QPErrors                    uint64
}

// sampleMetrics begins the names of a second reading of what the rows of rtt
// show.
const sampleMetrics = "rtt_sample"

var rttMetrics = slices.Concat(
	binned(spread("rtt", "_us", "true round-trip time of packets that were sent once.", 3,
		func(s *Summary) *Distribution { return &s.RTT })),
	binned(spread(sampleMetrics, "_us", "true round-trip time with one sample per round trip of a flow, by the "+
		"first packet sent after the last sample's ACK: long ones count for less.", 3,
		func(s *Summary) *Distribution { return &s.RTTSample })),
	[]Metric{measure(sampleMetrics+"_swing_mean", "Mean deviation of such a sample from the running average of "+
		"its flow, as a share of that average: rtt_swing.csv has the distribution.", Lower, 4,
		func(s *Summary) float64 { return s.Swing })},
)

var resentShareMetric = measure("resent_share", "Data packets that were sent again, over all data packets that "+
	"senders sent. Range 0 to 1.", Lower, shareDecimals, func(s *Summary) float64 { return s.ResentShare })

var recoveryMetrics = []Metric{
	counter("retransmits", "Packets sent again.", Lower, func(s *Summary) uint64 { return s.Retransmits }),
	counter("naks", "NAKs that receivers sent.", Lower, func(s *Summary) uint64 { return s.NAKs }),
	counter("timeouts", "Retransmission timers that expired.", Lower, func(s *Summary) uint64 { return s.Timeouts }),
	counter("qp_errors", "QPs that went into the error state, after more timeouts without progress than their "+
		"NICs allow.", Lower,
		func(s *Summary) uint64 { return s.QPErrors }),
}

func transportFigures(outcome *Outcome) (t TransportFigures) {
	var rtt, sampled record.Histogram
	for i := range outcome.Flows {
		sender := outcome.Flows[i].Sender
		rtt.Merge(&sender.RTT)
		sampled.Merge(&sender.Sampled)
		t.Retransmits += sender.Resent
		t.Timeouts += sender.Timeouts
		if sender.Failed != 0 {
			t.QPErrors++
		}
		t.NAKs += outcome.Flows[i].Receiver.NAKs
	}
	swing := swingOf(outcome.Flows)
	t.RTT, t.RTTSample = ofHistogram(&rtt), ofHistogram(&sampled)
	t.Swing = swing.Sum / float64(swing.Count())
	t.ResentShare = float64(t.Retransmits) / float64(sentPackets(outcome.Flows))
	return t
}

// sentPackets counts the packets that senders sent.
func sentPackets(flows []Flow) (n uint64) {
	for i := range flows {
		n += flows[i].Sender.Packets
	}
	return n
}
