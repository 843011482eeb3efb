package report

import (
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// slowSection lists the slow flows, and the reasons.
func slowSection(variants []*variant) (section, error) {
	s := section{
		ID:    "slow",
		Title: "Slow flows",
		Lead: "The slowest flow of each variant, where its frames waited, the flows that shared the port, and its " +
			"events. Below are the slowest flows of each run, and the ports on their paths: the share of the wait " +
			"there (an estimate), the length of the queue, the marked frames and the time that the port was " +
			"paused, in the time given by the column over.",
	}
	for _, v := range variants {
		var slowest *result.Slowness
		name := ""
		for _, r := range v.runs {
			slow, err := r.slowest()
			if err != nil {
				return s, err
			}
			if slow != nil && (slowest == nil || slow.SlowerThan(slowest)) {
				slowest, name = slow, v.name(r)
			}
		}
		if slowest != nil {
			s.Sentences = append(s.Sentences, name+": "+slowest.String())
		}
	}
	return s, s.add(variants, slowFlows, slowPorts)
}

// slowest describes the slowest flow of a run, nil if none was slow.
func (r *run) slowest() (*result.Slowness, error) {
	var slow *result.Slowness
	err := r.rows("slow_flows.csv", func(row row) error {
		if slow == nil {
			slow = &result.Slowness{Flow: strings.Clone(row.Text("flow"))}
		}
		if row.Text("flow") != slow.Flow {
			return nil
		}
		place := result.SlowPlace{
			Node:      strings.Clone(row.Text("node")),
			Port:      strings.Clone(row.Text("port")),
			Peer:      strings.Clone(row.Text("peer")),
			WaitShare: row.Number("wait_share"),
			Flows:     row.OrZero("flows_mean"),
			Others:    row.count("other_flows"),
			Paused:    unit.Duration(row.picoseconds("paused_us")),
		}
		if names := row.Text("beside"); names != "" {
			place.Beside = strings.Split(strings.Clone(names), "; ")
		}
		slow.Ports = append(slow.Ports, place)
		return nil
	})
	if err != nil || slow == nil {
		return nil, err
	}
	fastest := 0.0
	err = r.rows("flows.csv", func(row row) error {
		if row.Text("size_bytes") == "0" {
			fastest = math.Max(fastest, row.OrZero("goodput_gbps"))
		}
		if row.Text("flow") != slow.Flow {
			return nil
		}
		slow.Size, slow.Acked = unit.Bytes(row.count("size_bytes")), unit.Bytes(row.count("acked_bytes"))
		slow.Done = row.Text("completed_us") != ""
		if slow.Done && slow.Size > 0 {
			slow.Took = unit.Duration(row.picoseconds("completed_us") - row.picoseconds("start_us"))
		}
		slow.Slowdown, slow.Goodput = row.Number("slowdown"), row.Number("goodput_gbps")
		slow.Message = row.Number("message_max_us") / row.Microseconds("ideal_us")
		slow.Marked = uint64(row.count("np_ecn_marked_roce_packets"))
		slow.CNPs = uint64(row.count("rp_cnp_handled"))
		slow.Resent = uint64(row.count("resent_packets"))
		slow.Timeouts = uint64(row.count("timeouts"))
		slow.Silence = unit.Duration(row.picoseconds("silence_us"))
		slow.SilentFrom = unit.Time(row.picoseconds("silent_from_us"))
		return nil
	})
	if err != nil || !slow.Slow(fastest) {
		return nil, err
	}
	list, err := r.causes()
	if at := slices.IndexFunc(list, func(c *cause) bool { return c.flow == slow.Flow }); at >= 0 {
		slow.Why = list[at].why()
	}
	if err != nil {
		return nil, err
	}
	return slow, nil
}

// slowFlows are the flows that took longest.
var slowFlows = extract{
	id:      "slow-flows",
	caption: "Slowest flows",
	file:    "flows.csv",
	keys:    []string{"flow"},
	columns: []string{"slowdown", "fct_us", "message_max_us", "goodput_gbps", "base_rtt_us", "rtt_mean_us", "rtt_max_us",
		"silence_us", "np_ecn_marked_roce_packets", "rp_cnp_handled", "resent_packets", "naks_received", "timeouts"},
	by:   "slowdown, of messages that wait for others of the slowest",
	rank: slowness,
}

// slowness is a number that is larger the slower a flow was: of one that completed its slowdown, or that of its slowest
// message; one with a size that did not complete comes before all of these.
func slowness(row row) float64 {
	if size := row.OrZero("size_bytes"); size > 0 && row.Text("completed_us") == "" {
		return math.MaxInt64 * (2 - row.OrZero("acked_bytes")/size)
	}
	if message := row.Number("message_max_us") / row.Microseconds("ideal_us"); !math.IsNaN(message) {
		return message
	}
	return row.OrZero("slowdown")
}

// slowPorts are the ports with events on the ways of the slowest flows.
var slowPorts = extract{
	id:      "slow-ports",
	caption: "Ports on the way of the slowest flows",
	file:    "slow_flows.csv",
	keys:    []string{"flow", "hop", "node", "port"},
	columns: []string{"peer", "wait_share", "depth_max_bytes", "ecn_marked_frames", "paused_us", "frames_share",
		"flows_mean", "other_flows", "beside", "over"},
	keep: func(row row) bool {
		return slices.ContainsFunc([]string{"wait_share", "ecn_marked_frames", "paused_us"}, func(column string) bool {
			return row.OrZero(column) > 0
		})
	},
}
