package pc4

import (
	"slices"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Algorithm is PC4 as a cc.Algorithm.
type Algorithm struct{}

var _ cc.Algorithm = Algorithm{}

// Bounds. A rate beyond the fastest link has the same effect as that link's (cc.MostRate). 12.5 GB cause a delay of 1s
// at 100 Gb/s, more than any buffer on the market holds, and it is the largest error of a NIC's clock.
const longestDelay = unit.Second

const (
	alg1   = "PC4, Algorithm 1 and Table I"
	alg2   = "PC4, Algorithm 2"
	target = "PC4, III-C"
)

// Describe implements cc.Algorithm.
func (Algorithm) Describe() cc.Description {
	return cc.Description{
		Name:    "pc4",
		Version: "2.0.0",
		Summary: "base rate from the receiver, one-way delay against a target, sub-packet windows",
		Source:  "Qi et al., PC4: Precision Collective Communication Congestion Control for AI Cluster",
		Values: []cc.Value{
			{Name: "target_queueing_time", Unit: "us", Doc: "TARGET_DELAY for the flows that the sender knows of"},
			{Name: "base_rate", Unit: "Gb/s", Doc: "recorded base rate; none before there is one and after a timeout"},
			{Name: "cwnd", Unit: "B", Doc: "the window, before it is cut to whole bytes"},
		},
		Params: slices.Concat(switches(), gains(), extension(), targets(), windows()),
	}
}

func switches() []cc.Param {
	return []cc.Param{
		cc.Choice("set", "evidence").Of("evidence", "literal", "earlier", "return-to-base", "keep-share", "printed").
			Doc("defaults of the parameters that have a default by set; each can still be given. evidence: points that " +
				"the paper leaves open are chosen by evidence, which replaces sentences of it: docs/algorithms.md has " +
				"them side by side. literal: those sentences as they are printed, a target that falls with 1/N and grows " +
				"with the path, whole steps, and the RTT as measured. earlier: rocelab's former constants. " +
				"return-to-base: evidence and an EXTENSION that is not in the paper, see pull and above. keep-share: " +
				"evidence and another EXTENSION, whose cuts never go below a third of the base rate, see keep. printed: " +
				"the former name of evidence").
			From("rocelab's choice; the paper gives no constants"),
		cc.Flag("base_rate", "true").
			Doc("take over the base rate in ACKs; off, only the adjustment by delay is left").
			From("PC4, III-A and IV"),
		cc.Flag("adjust", "true").
			Doc("adjust by one-way delay; off, only the base rate is left").
			From("PC4, III-C and IV"),
		cc.Choice("n_source", "controller").Of("controller", "receiver", "controller+sender").
			Doc("source of n. controller: it informs the receiver, and the sender learns its base rate from its first " +
				"ACK; receiver: the receiving NIC counts the flows that it sees; controller+sender: it also informs the " +
				"sender, before its first packet and about changes that the plan fixes, starts and stops by the clock. " +
				"The paper presumes a controller without details").
			From("PC4, III-A"),
		cc.Choice("n_mode", "incoming").Of("incoming", "paper").
			Doc("incoming: base rate = line rate / max(1, n), n the active incoming flows. paper: as printed, line rate " +
				"/ (n-1) for all-to-all and all-gather; n is then ranks x flows per pair, since with n the incoming flows " +
				"n/(n-1) of the line would be given away; n = 1, printed as a division by zero, gives the line rate").
			From(alg1),
		cc.Choice("all_reduce", "flows").Of("flows", "ring", "hd", "ps").
			Doc("divisor in mode all-reduce. flows: n, as printed; ring and hd: 1, one flow comes in at each step; ps: " +
				"ranks - 1. The paper states that such tables can be integrated and gives none").
			From("PC4, III-A"),
		cc.Number("reload_threshold", "0").In(0, 1).
			Doc("relative change of the base rate beyond which it is taken over. 0 is the printed comparison: any " +
				"change, so that with many flows that end the adjustment never acts; 0.01 is the sensible other value").
			From(alg2 + ", line 4"),
	}
}

func gains() []cc.Param {
	return []cc.Param{
		cc.Rate("hai", "").In(0, cc.MostRate).
			Doc("hyper additive increment, not given in the paper. Default: hai_share of the base rate; 100Mbps with " +
				"base_rate off").
			From(alg2 + ", line 22"),
		cc.Number("hai_share", "").In(0, 1).
			Doc("hai as a share of the base rate, if hai is not given: N flows then add the same in total for any N, " +
				"which is the \"consistent buffer space utilization\" that the paper asks for. Default by set: earlier " +
				"0.05, the others 0.1").
			From(target + " names the aim; the value is rocelab's choice"),
		cc.Rate("ai", "").In(0, cc.MostRate).
			Doc("additive increment, not given in the paper. Default: ai_share of the base rate; 25Mbps with base_rate " +
				"off").
			From(alg2 + ", line 24"),
		cc.Number("ai_share", "").In(0, 1).
			Doc("ai as a share of the base rate, where ai is not given, for the same reason. Default by set: earlier " +
				"0.01, the others 0.02").
			From(target + " names the aim; the value is rocelab's choice"),
		cc.Number("beta", "").In(0, 10).
			Doc("multiplicative decrease constant, not given in the paper. Default by set: earlier 0.8, the others 0.6").
			From(alg2 + ", line 27"),
		cc.Number("max_mdf", "").In(0, 1).
			Doc("largest share that one decrease takes, not given in the paper. Default by set: earlier 0.5, the others " +
				"0.25").
			From(alg2 + ", line 26"),
		cc.Number("sub_gain", "").In(0, 1).
			Doc("below a window of one packet every adjustment is multiplied by cwnd^sub_gain, cwnd in packets: such a " +
				"flow hears once in RTT/cwnd, and whole steps would swing the queue. 0 for none, 0.5 for the square root. " +
				"Default by set: evidence and return-to-base 0.5, the others 0").
			From(target + " allows such windows and does not give their steps; rocelab's choice"),
		cc.Choice("zero_reading", "robust").Of("robust", "literal").
			Doc("when a delay counts as zero. robust: up to zero_band, negative ones included. literal: within zero_band " +
				"of 0 only; a delay below that falls, as printed, into the decrease, whose factor is then above 1").
			From(alg2 + ", lines 21 to 27"),
		cc.Duration("zero_band", "").In(0, longestDelay).
			Doc("width of zero. Default by zero_reading: robust 100ns, the accuracy of clocks that the paper cites; " +
				"literal 1ns, the rounding of timestamps").
			From("PC4, III-B"),
		cc.Number("adjust_interval", "1.5").In(0, 1000).
			Doc("shortest time between adjustments, in units of the larger of base RTT and last RTT. According to the " +
				"paper it exceeds one RTT").
			From(target),
		cc.Choice("feedback", "fresh").Of("fresh", "any").
			Doc("fresh: adjust only on ACKs of packets sent after the last change of rate, by the echoed tx_time, so " +
				"that the algorithm reacts to each queue once. any: on every ACK, as printed").
			From("PC4, III-C; " + alg2 + ", line 9"),
		cc.Choice("timeout_factor", "line18").Of("line18", "mdf").
			Doc("share that a timeout leaves of window and rate. line18: 1 - max_mdf, as in the algorithm; mdf: max_mdf, " +
				"as in the text. The algorithm only cuts the window; a later window would be computed from the uncut rate").
			From(alg2 + ", line 18; III-D"),
		cc.Rate("min_rate", "1Mbps").In(unit.BitPerSecond, cc.MostRate).
			Doc("floor of tx_rate, not in the paper; the ceiling is the line rate").
			From("rocelab's choice"),
	}
}

// extension returns the parameters that the paper does not have: Algorithm 2 never brings a rate back to the base rate
// while that does not change.
func extension() []cc.Param {
	return []cc.Param{
		cc.Number("pull", "").In(0, 1).
			Doc("EXTENSION \"return to base\", not in the paper: each adjustment also takes back this share of the " +
				"distance to the base rate. Default by set: return-to-base and keep-share 0.05, the others 0, as printed").
			From("rocelab's extension"),
		cc.Number("above", "").In(0, 1).
			Doc("EXTENSION \"return to base\", not in the paper: at or above the base rate ai is multiplied by this; " +
				"hai stays whole, so that what others leave is still taken. Default by set: return-to-base and keep-share " +
				"0.1, the others 1, as printed").
			From("rocelab's extension"),
		cc.Number("pull_below", "").In(0, 1).
			Doc("EXTENSION, not in the paper: the same share below the base rate, and pull is for rates above it. " +
				"Default by set: return-to-base 0.05, the others 0").
			From("rocelab's extension"),
		cc.Number("band", "").In(0, 1).
			Doc("EXTENSION, not in the paper: pull and above act from this share above the base rate on. " +
				"Default by set: keep-share 0.15, the others 0").
			From("rocelab's extension"),
		cc.Number("keep", "").In(0, 1).
			Doc("EXTENSION \"keep share\", not in the paper: no decrease takes the rate below this share of the base " +
				"rate, so that a queue of others' does not take the flow's. Default by set: keep-share 0.35, the others 0").
			From("rocelab's extension"),
		cc.Duration("hold", "").In(0, longestDelay).
			Doc("EXTENSION \"keep share\", not in the paper: below half of the base rate the window is of the measured " +
				"RTT, up to the base RTT and this, which bounds the queue that flows with keep have among themselves. " +
				"Default by set: keep-share 50us, the others 0s").
			From("rocelab's extension"),
	}
}

func targets() []cc.Param {
	return []cc.Param{
		cc.Duration("target_qtime", "").In(0, longestDelay).
			Doc("fixed target queueing time. Default: the larger of tq0 and tq_noise x sqrt(N) x packet time, times " +
				"(baseline / 2.2us)^tq_path; a packet time is that of a full packet at line rate. N is line rate / base " +
				"rate, 1 before the first ACK; with base_rate off the controller's n. In set literal 1 / N multiplies " +
				"tq0, as printed; in set earlier min(1, 10 / N) does, and 300ns is the least").
			From(target),
		cc.Duration("tq0", "1us").In(0, longestDelay).
			Doc("target queueing time of few flows").
			From("PC4, IV-E sets 1us"),
		cc.Number("tq_noise", "").In(0, 100).
			Doc("the target is at least this number of packet times x sqrt(N). N paced flows queue by chance by O(sqrt " +
				"N), as the paper states for flows without a common beat; a target below that keeps them from filling the " +
				"port. Default by set: evidence and return-to-base 2, the others 0").
			From(target + ": \"differs from ... unsynchronized flows ..., which follows an O(sqrt N) growth trend\""),
		cc.Number("tq_path", "").In(0, 1).
			Doc("how the target grows with the path: by (baseline / 2.2us)^tq_path, 2.2us being one switch at 1us a " +
				"link. 0: the same target on all paths, in addition to the baseline, which is subtracted from one-way " +
				"delay. 1: in proportion, which starves the flow of the shorter path if both wait in one queue. Default " +
				"by set: evidence and return-to-base 0, the others 1").
			From(target + ": the baseline is \"a reference point for setting the target\", without a formula"),
	}
}

func windows() []cc.Param {
	return []cc.Param{
		cc.Choice("first_rtt", "line").Of("line", "base", "12pkt", "1pkt").
			Doc("first window, not given in the paper. line: line rate and one BDP; base: base rate and base rate x RTT, " +
				"needs n_source controller+sender; 12pkt and 1pkt: that many packets at line rate").
			From("PC4, Table II suggests 12 packets"),
		cc.Choice("cwnd_rtt", "").Of("base", "measured", "unqueued").
			Doc("which RTT makes the window of line 12. A measured one lets the window grow with the queue; a base one " +
				"lets late ACKs limit the rate. unqueued: the measured one less the one-way delay of the same ACK, at " +
				"least the base one: the ACK's way counts, the queue that data wait in does not. Default by set: evidence " +
				"and return-to-base unqueued, literal measured, earlier base").
			From(alg2 + ", line 12; III-B: \"effectively ignore the potential impact of reverse path delay\""),
		cc.Choice("cwnd_update", "").Of("changed", "indent", "always").
			Doc("when lines 12 to 16 run. changed: whenever tx_rate was set; indent: in the else branch only, as the " +
				"indentation has it, so that a new base rate moves the window with the next ACK; always: at each ACK. " +
				"III-A cites line 12 for the change of base rate, III-C has the window constant within the interval. " +
				"Default by set: earlier changed, the others always").
			From(alg2 + ", lines 12 to 16"),
		cc.Choice("pace", "always").Of("always", "paper").
			Doc("always: packets are spaced by tx_rate. paper: only below a window of one packet, otherwise windows " +
				"leave as bursts; there the gap RTT/cwnd counts payload, so that the rate on the wire exceeds tx_rate by " +
				"the headers").
			From(alg2 + ", lines 13 to 16"),
		cc.Number("min_cwnd", "0.0001").In(1e-6, 1).Doc("least window, in packets").From(target),
	}
}
