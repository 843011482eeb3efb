package measure

import (
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

func measurePeriod(run *reproduce.Run, arguments reproduce.Arguments) float64 {
	periods := reproduce.Once(run, "periods", periodsOf)
	switch arguments.Text(0) {
	case "first":
		if len(periods) > 0 {
			return periods[0].notifications
		}
	case "notifications":
		return worst(periods, func(p period) float64 { return p.notifications })
	case "queue":
		return worst(periods, func(p period) float64 { return p.queue })
	}
	return math.NaN()
}

// period has the notifications and the queue of switches in one.
type period struct{ notifications, queue float64 }

// beginsOf are the times at which the first job's periods begin, in microseconds.
func beginsOf(run *reproduce.Run) (begins []float64) {
	for line := range run.Lines("ranks.csv") {
		if line.Text("collective") == "job0" && line.Text("rank") == "0" {
			begins = append(begins, line.Microseconds("ready_us"))
		}
	}
	slices.Sort(begins)
	return begins
}

// periodAt is the period of a time, the first one for earlier times.
func periodAt(begins []float64, us float64) int {
	i, _ := slices.BinarySearch(begins, math.Nextafter(us, math.Inf(1)))
	return max(i-1, 0)
}

// periodsOf are the periods of the first job, which ends before a second is over.
func periodsOf(run *reproduce.Run) []period {
	const end = 0.95e6
	begins := beginsOf(run)
	periods := make([]period, len(begins))
	at := func(us float64) *period { return &periods[periodAt(begins, us)] }
	for line := range run.Lines("proximal.csv") {
		if us := line.Microseconds("at_us"); us < end && line.Text("action") == "congested" &&
			line.Text("peer") != line.Text("switch") {
			at(us).notifications++
		}
	}
	for line := range run.Lines("series_queues.csv") {
		if us := line.Microseconds("time_us"); us < end && line.Text("queue") == "3" &&
			strings.Contains(line.Text("node"), "spine") {
			p := at(us)
			p.queue = max(p.queue, line.Number("depth_max_bytes"))
		}
	}
	return periods
}

// worst is the largest of a number from the third period on, as a share of the first one's.
func worst(periods []period, of func(period) float64) (share float64) {
	for _, p := range periods[min(2, len(periods)):] {
		share = max(share, of(p)/of(periods[0]))
	}
	return share
}

// measureAgain counts the first job's flows that are congested, in the first period or "always".
func measureAgain(run *reproduce.Run, arguments reproduce.Arguments) float64 {
	again := reproduce.Once(run, "congested again", congestedAgain)
	switch arguments.Text(0) {
	case "first":
		return again.first
	case "always":
		return again.always
	}
	return math.NaN()
}

// again counts the first job's flows that have CNPs in the first period, and the ones among them that have some in
// every one.
type again struct{ first, always float64 }

func congestedAgain(run *reproduce.Run) (count again) {
	begins := beginsOf(run)
	congested := map[string]map[int]bool{}
	for line := range run.Lines("series_flows.csv") {
		if line.Number("cnps_received") > 0 && strings.HasPrefix(line.Text("flow"), "job0") {
			flow := strings.Clone(line.Text("flow"))
			if congested[flow] == nil {
				congested[flow] = map[int]bool{}
			}
			congested[flow][periodAt(begins, line.Microseconds("time_us"))] = true
		}
	}
	for _, periods := range congested {
		if periods[0] {
			count.first++
			if len(periods) == len(begins) {
				count.always++
			}
		}
	}
	return count
}

// movedAt is the time at which other jobs begin, in microseconds.
const movedAt = 100_000.0

// measureOldFlows is a number of what switches did for the flows of the first jobs, such as "learned".
func measureOldFlows(run *reproduce.Run, arguments reproduce.Arguments) (number float64) {
	ofOldFlows(run, func(action string, at float64) {
		counts := false
		switch arguments.Text(0) {
		case "learned":
			counts = action == "learn"
		case "forgotten":
			counts = action == "age"
		case "acts":
			counts = action != "learn" && action != "age" && at > movedAt
		case "last":
			if action == "age" {
				number = max(number, (at-movedAt)/1000)
			}
		}
		if counts {
			number++
		}
	})
	return number
}

// ofOldFlows calls visit for the switches' actions on flows of the first jobs, those of hosts with even numbers.
func ofOldFlows(run *reproduce.Run, visit func(action string, at float64)) {
	for line := range run.Lines("proximal.csv") {
		if from := line.Text("from"); from != "" && strings.ContainsAny(from[len(from)-1:], "02468") {
			visit(line.Text("action"), line.Microseconds("at_us"))
		}
	}
}
