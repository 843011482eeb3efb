package oracle

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// row is a metric, and how it is worked out again.
type row struct {
	metric string
	how    string
	within within
	of     func(*account) float64
	// most, if not nil, is an upper bound of a metric that may differ from the observed value, of.
	most func(*account) float64
	// source is the source of a row other than frames, "" for frames.
	source string
}

// within is the tolerance of a metric.
type within struct {
	name  string
	holds func(want, got float64) bool
}

// The tolerances. Only NaN matches NaN.
var (
	// exact is for counts and lengths.
	exact = within{"exact", func(want, got float64) bool { return got == want }}
	// rounded is for times in whole picoseconds and for ratios, added up in another order.
	rounded = within{"1 ps or 1e-9", func(want, got float64) bool {
		return math.Abs(got-want) <= 1.1e-6+1e-9*math.Abs(want)
	}}
	ratio = within{"1e-9", func(want, got float64) bool { return math.Abs(got-want) <= 1e-9*max(1, math.Abs(want)) }}
	// rate is for values rounded down to 1 b/s.
	rate = within{"1 b/s", func(want, got float64) bool { return math.Abs(got-want) <= 1.1e-9+1e-12*math.Abs(want) }}
	// bucket is for a histogram of 32 buckets an octave: the upper edge of the sample's bucket.
	bucket = within{"1/32 above", func(want, got float64) bool { return want-1e-6 <= got && got <= want*33/32+0.001 }}
	// stepped is for lengths in steps of 4 KiB, and of a sixteenth above 64 KiB; below 8 KiB is 0.
	stepped = within{"4 KiB or 1/16 below", func(want, got float64) bool {
		if got == 0 {
			return want < 8192
		}
		return got <= want && want < got+max(4096, got/16)
	}}
)

// injected are the scenario's own reasons, with the ones for frames whose way was down.
var injected = []string{"link_loss", "link_down", "port_down", "reboot"}

// discarded are the reasons for which arrived frames were not wanted.
var discarded = map[string]bool{"out_of_order": true, "duplicate": true, "unknown_qp": true, "filtered": true,
	"link_local": true, "same_port": true, "wrong_peer": true, "acl": true}

func dropName(reason int) string { return fabric.DropReason(reason).String() }

// The sources other than frames.
const (
	eventLog  = "event log of the algorithm"
	actionLog = "log of what switches did for proximal CNP"
	theory    = "the plan: no run changes it"
	outages   = "the outages of the outcome, which specs/recovery and specs/verdicts hold to the frame and to settings"
	nowhere   = "none: a sampled graph of which queue waits for which; specs/lossless has its own spec"
)

// table has a row for each metric.
var table = func() []row {
	var rows []row
	add := func(metric, how string, within within, of func(*account) float64) {
		rows = append(rows, row{metric: metric, how: how, within: within, of: of})
	}
	other := func(source, metric, how string, within within, of func(*account) float64) {
		add(metric, how, within, of)
		rows[len(rows)-1].source = source
	}
	spread := func(metric, unit, how string, mean, quantile within, of_ func(*account) of) {
		add(metric+"_mean"+unit, "mean of "+how, mean, func(a *account) float64 { return of_(a).mean })
		add(metric+"_p50"+unit, "nearest rank 50 of "+how, quantile, func(a *account) float64 { return of_(a).p50 })
		add(metric+"_p99"+unit, "nearest rank 99 of "+how, quantile, func(a *account) float64 { return of_(a).p99 })
		add(metric+"_max"+unit, "largest of "+how, mean, func(a *account) float64 { return of_(a).most })
	}

	add("flows", "flows asked for", exact, func(a *account) float64 { return float64(len(a.plan.Flows)) })
	add("completed", "flows for whose last byte an ACK came", exact,
		func(a *account) float64 { return float64(a.completed) })
	add("incomplete", "flows with a size for which none came", exact,
		func(a *account) float64 { return float64(a.incomplete) })
	add("duration_us", "first start to last ACK of a last byte, or end", rounded, (*account).duration)
	spread("fct", "_us", "ACK of the last byte, less start", rounded, rounded,
		func(a *account) of { return summed(a.fcts) })
	spread("slowdown", "", "that over packet there, ACK back and bytes at the narrowest link", ratio, ratio,
		func(a *account) of { return summed(a.slowdowns) })
	add("goodput_gbps", "payload that ACKs covered at senders over duration", rate, func(a *account) float64 {
		return gigabits(int64(a.total(func(f *flow) uint64 { return uint64(f.acknowledged) })), a.duration())
	})
	add("resent_share", "packets whose PSN had been sent before over all packets that left NICs", ratio,
		func(a *account) float64 {
			return a.total(func(f *flow) uint64 { return f.resent }) / a.count(func(h *hop) bool {
				return a.plan.KindOf(h.from.Node) == plan.KindNIC && hasOpcode(h.frame) && h.frame.IsData()
			})
		})
	add("dropped_share", "drops over them and what came to NICs and edges, pauses of NICs excepted", ratio,
		func(a *account) float64 {
			return a.drops() / (a.drops() + a.leftAtEdges() + a.count(func(h *hop) bool {
				return a.plan.KindOf(h.to.Node) == plan.KindNIC && h.delivered && !h.frame.IsPFC()
			}))
		})
	add("flow_rate_gbps", "sizes of completed flows over their times", rate, func(a *account) float64 {
		if a.times == 0 {
			return math.NaN()
		}
		return gigabits(a.sizes, microseconds(a.times))
	})
	add("utilisation", "wire time of all frames of the busiest switch port over duration, at most 1", ratio,
		func(a *account) float64 { return a.utilisation })
	add("jain", "index of payload acknowledged in pieces between starts and ends", ratio, func(a *account) float64 {
		index, _ := a.jain(a.flows)
		return index
	})
	spread("rtt", "_us", "ACK less start of its packet, if sent once", rounded, bucket,
		func(a *account) of { return summed(a.rtts(func(f *flow) []unit.Duration { return f.rtts })) })
	spread("rtt_sample", "_us", "that of one packet a round trip", rounded, bucket,
		func(a *account) of { return summed(a.rtts(func(f *flow) []unit.Duration { return f.samples })) })
	add("rtt_sample_swing_mean", "|R - S| / S with S = 0.2 R + 0.8 S", ratio, (*account).swing)
	spread("queueing", "_us", "first bit out less last bit in, data queues of switches", rounded, bucket,
		func(a *account) of { return a.waits })
	for tier := range plan.NumTiers {
		add("wait_share_"+tier.String(), "sum of waits at ports that lead there over sum of all", ratio,
			func(a *account) float64 { return a.waitShare(a.queues, tier) })
	}
	add("queue_max_bytes", "bytes in less bytes out, longest data queue", exact,
		func(a *account) float64 { return float64(a.queues.longest) })
	add("queue_p50_bytes", "least length not exceeded for half of the run, worst queue", stepped,
		func(a *account) float64 { return a.notExceeded(a.queues, 0.5) })
	add("queue_p99_bytes", "least length not exceeded for 99 % of the run, worst queue", stepped,
		func(a *account) float64 { return a.notExceeded(a.queues, 0.99) })
	add("buffer_max_bytes", "bytes in less bytes out of a switch, control classes and DCI memory apart", exact,
		func(a *account) float64 { return float64(a.queues.fullest) })
	add("dci_buffer_max_bytes", "the same of a DCI port's memory", exact,
		func(a *account) float64 { return float64(a.queues.fullestDCI) })
	rows = append(rows, row{
		metric: "marks",
		how:    "frames that came to a switch without CE and left with it; marked as they come, maybe those inside",
		within: exact,
		of:     func(a *account) float64 { return float64(a.queues.marks) },
		most:   func(a *account) float64 { return float64(a.queues.marks + a.queues.maybeMarked) },
	})
	answers := func(metric, what string, cnp bool, of func(*flow) uint64) {
		rows = append(rows, row{
			metric: metric,
			how:    what + " that left receivers; if a NIC's port is busy at the end, maybe those that wait for it",
			within: exact,
			of:     func(a *account) float64 { return a.total(of) },
			most:   func(a *account) float64 { return a.total(of) + a.unanswered(cnp) },
		})
	}
	answers("cnps", "CNPs", true, func(f *flow) uint64 { return f.cnps })
	add("pauses", "classes with a time in PFC frames of switches and NICs", exact,
		func(a *account) float64 { return float64(a.pauses.sent) })
	add("paused_us", "from PFC frame to its end, or the next one's", rounded,
		func(a *account) float64 { return microseconds(a.pauses.total()) })
	add("drops", "frames that came and did not go on, or did not come", exact, (*account).drops)
	add("drops_congestion", "frames that a node refused for want of room, by its word", exact,
		func(a *account) (n float64) {
			for i, refused := range a.queues.refused {
				if slices.Contains([]string{"no_buffer", "headroom", "wred", "dci_buffer", "nic_queue", "receive_buffer"},
					dropName(i)) {
					n += float64(refused)
				}
			}
			return n
		})
	add("drops_injected", "frames that left and did not come, or whose way was down by a node's word", exact,
		func(a *account) float64 {
			return float64(a.queues.linkLost + a.queues.refused[fabric.DropPortDown] + a.queues.refused[fabric.DropReboot])
		})
	for reason := 1; reason < int(fabric.NumDropReasons); reason++ {
		name := dropName(reason)
		switch {
		case slices.Contains(injected, name):
			continue
		case discarded[name]:
			name = "discards_" + name
		default:
			name = "drops_" + name
		}
		add(name, "frames that came and went no further, by the node's word", exact,
			func(a *account) float64 { return float64(a.queues.refused[reason]) })
	}
	add("retransmits", "packets whose PSN had been sent before", exact,
		func(a *account) float64 { return a.total(func(f *flow) uint64 { return f.resent }) })
	answers("naks", "NAKs", false, func(f *flow) uint64 { return f.naks })
	givenUp := func(a *account) float64 {
		return a.total(func(f *flow) (n uint64) {
			if f.givenUp {
				n = 1
			}
			return n
		})
	}
	other(eventLog, "timeouts", "events of that kind, and the last one of a QP that gives up", exact,
		func(a *account) float64 {
			return givenUp(a) + a.steps(func(before, after *cc.Decision, kind cc.EventKind) bool {
				return kind == cc.EventTimeout
			})
		})
	other(eventLog, "qp_errors", "as many timeouts as the scenario bounds, and silence for one more", exact, givenUp)
	other(eventLog, "decisions", "answers with another rate, window or gap", exact, func(a *account) float64 {
		return a.steps(func(before, after *cc.Decision, _ cc.EventKind) bool {
			return before.Rate != after.Rate || before.Window != after.Window || before.Gap != after.Gap
		})
	})
	add("foreign_in", "frames in the journals of edges", exact, func(a *account) float64 { return float64(a.cameIn) })
	add("foreign_out", "frames that came to edges", exact, (*account).leftAtEdges)
	add("watchdog_fired", "queues held and not empty for the time to detect", exact,
		func(a *account) float64 { return float64(a.broken(a.pauses, a.queues)) })
	add("victims", "flows of which no packet was taken for a tenth of a storm", exact,
		func(a *account) float64 { return float64(a.victims(a.flows)) })
	for _, lost := range []struct {
		metric string
		of     func(*result.Outage) float64
	}{
		{"outage_lost_bytes", func(o *result.Outage) float64 {
			return float64(o.Void.Bytes + o.Flushed.Bytes + o.NoRoute.Bytes)
		}},
		{"outage_lost_void_bytes", func(o *result.Outage) float64 { return float64(o.Void.Bytes) }},
		{"outage_lost_flushed_bytes", func(o *result.Outage) float64 { return float64(o.Flushed.Bytes) }},
		{"outage_lost_no_route_bytes", func(o *result.Outage) float64 { return float64(o.NoRoute.Bytes) }},
	} {
		other(outages, lost.metric, "their sum over outages", exact, func(a *account) float64 {
			return a.ofOutages(func(sum float64, o *result.Outage) float64 { return sum + lost.of(o) })
		})
	}
	other(outages, "outage_recovery_max_us", "longest recovery, unless a flow did not go on", rounded,
		func(a *account) float64 {
			return a.ofOutages(func(most float64, o *result.Outage) float64 {
				for i := range o.Still {
					if most = max(most, o.Still[i].Recovery.Microseconds()); !o.Still[i].Over {
						return math.NaN()
					}
				}
				return most
			})
		})
	other(outages, "outage_settled_us", "longest time until routes were settled, of those that had any", rounded,
		func(a *account) float64 {
			most := math.NaN()
			for i := range a.outcome.Outages {
				o := &a.outcome.Outages[i]
				if after := o.Settled.Sub(o.From).Microseconds(); o.Settled != unit.Never && !(after <= most) {
					most = after
				}
			}
			return most
		})
	other(outages, "outage_flows", "flows that stood still", exact,
		func(a *account) float64 { return a.stillFlows(func(*result.Still) bool { return true }) })
	other(outages, "outage_unrecovered_flows", "those that did not go on", exact,
		func(a *account) float64 { return a.stillFlows(func(s *result.Still) bool { return !s.Over }) })
	other(nowhere, "deadlocks", "", exact, func(a *account) float64 { return float64(len(a.outcome.Deadlocks)) })
	add("feedback_us", "first queue beyond Kmin to first CNP at a sender", rounded, (*account).feedback)
	add("notifications", "congestion messages that switches made", exact,
		func(a *account) float64 { return float64(a.queues.messages) })
	add("proximal_cnps", "CNPs that left a switch and never came there", exact,
		func(a *account) float64 { return float64(a.queues.cnps) })
	other(actionLog, "preemptive_cnps", "CNPs of its rows preempt", exact, func(a *account) float64 {
		return a.actions(record.ProximalPreempt, func(act *record.ProximalAction) int { return act.CNPs })
	})
	other(actionLog, "learned_flows", "its rows learn", exact, func(a *account) float64 {
		return a.actions(record.ProximalLearn, func(*record.ProximalAction) int { return 1 })
	})
	other(actionLog, "forgotten_flows", "its rows forget", exact, func(a *account) float64 {
		return a.actions(record.ProximalForget, func(*record.ProximalAction) int { return 1 })
	})
	add("iterations", "iterations asked for", exact, func(a *account) float64 { return float64(a.planned) })
	add("iterations_done", "those with which every rank was done", exact,
		func(a *account) float64 { return float64(len(a.whole)) })
	spread("iteration", "_us", "last rank done less first rank's begin", rounded, rounded,
		func(a *account) of { return summed(a.whole) })
	other(theory, "bound_us", "", rounded, func(a *account) float64 { step, _ := a.bound(); return step })
	other(theory, "free_us", "", rounded, func(a *account) float64 { _, free := a.bound(); return free })
	spread("collective", "_us", "last rank done less first rank's ready", rounded, rounded,
		func(a *account) of { return summed(a.taken) })
	add("algbw_gigabytes_s", "mean of size over that", ratio, func(a *account) float64 { return summed(a.alg).mean })
	add("busbw_gigabytes_s", "mean of that with the factor of nccl-tests", ratio,
		func(a *account) float64 { return summed(a.bus).mean })
	return rows
}()

// steps counts the calls of all algorithms that are of a kind. A rate above the line's is the line's.
func (a *account) steps(counts func(before, after *cc.Decision, kind cc.EventKind) bool) (n float64) {
	for _, log := range a.logs {
		for i := range log.Steps {
			before, after := log.Steps[i].Before, log.Steps[i].After
			after.Rate = min(after.Rate, log.Facts.LineRate)
			if counts(&before, &after, log.Steps[i].Event.Kind) {
				n++
			}
		}
	}
	return n
}

// actions adds up what switches did of a kind.
func (a *account) actions(kind record.ProximalKind, of func(*record.ProximalAction) int) (n float64) {
	for i := range a.outcome.Switches {
		p := a.outcome.Switches[i].Proximal
		for k := 0; p != nil && k < len(p.Actions); k++ {
			if p.Actions[k].Kind == kind {
				n += float64(of(&p.Actions[k]))
			}
		}
	}
	return n
}

// ofOutages folds the outages of the run, NaN if there was none.
func (a *account) ofOutages(fold func(sum float64, o *result.Outage) float64) (sum float64) {
	if len(a.outcome.Outages) == 0 {
		return math.NaN()
	}
	for i := range a.outcome.Outages {
		sum = fold(sum, &a.outcome.Outages[i])
	}
	return sum
}

// stillFlows counts the flows that stood still for any outage as counts wants it, NaN if there was none.
func (a *account) stillFlows(counts func(*result.Still) bool) float64 {
	flows := map[int]bool{}
	return a.ofOutages(func(_ float64, o *result.Outage) float64 {
		for i := range o.Still {
			if counts(&o.Still[i]) {
				flows[o.Still[i].Flow] = true
			}
		}
		return float64(len(flows))
	})
}
