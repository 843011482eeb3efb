package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/rocelab/rocelab/internal/spelling"
)

// Check is something that an algorithm is judged by.
type Check struct {
	// Name is one word, About a sentence with the algorithm as its subject.
	Name, About string
	// Labels are contract or behaviour, quick where `rocelab algorithm check`
	// has it, and the check's name.
	Labels []string
	// control: it is of algorithms that react to congestion.
	control bool
	// clocked: it measures by the wall clock.
	clocked bool
	run     func(t *trial) Row
}

// Labels of checks, beside their names.
const (
	Contract  = "contract"
	Behaviour = "behaviour"
	Quick     = "quick"
)

// checks are all, in the order of the report.
var checks = []Check{
	quick(Contract, "handshake", (*trial).handshake,
		"starts, speaks this protocol and identifies itself"),
	quick(Contract, "parameters", (*trial).parameters,
		"documents its parameters, each default within bounds that can be set or are refused by name"),
	quick(Contract, "source", (*trial).source,
		"has no fused floats, clocks, goroutines, maps in loops or changing globals in its source"),
	quick(Contract, "repeat", (*trial).repeat,
		"decides the same for the same events a second time, later"),
	quick(Contract, "process", (*trial).process,
		"decides the same in another process"),
	quick(Contract, "surroundings", (*trial).surroundings,
		"decides the same on another day, in another environment, on more or fewer processors and at other addresses"),
	quick(Contract, "build", (*trial).build,
		"decides the same built for other processors"),
	quick(Contract, "isolation", (*trial).isolation,
		"decides the same for a flow without the other flows"),
	quick(Contract, "fuzz", (*trial).fuzz,
		"answers random events with valid decisions"),
	quick(Contract, "reorder", (*trial).reorder,
		"answers events out of order with valid decisions"),
	full(Contract, "workers", (*trial).workers,
		"decides the same if two workers share the run"),
	full(Contract, "windows", (*trial).windows,
		"decides the same if windows are cut differently and every frame is encoded"),
	full(Contract, "veth", (*trial).veth,
		"decides the same on containers and veth pairs"),
	controls(quick(Behaviour, "reaction", (*trial).reaction,
		"sends a third less within 20 RTT of a doubled load")),
	quick(Behaviour, "recovery", (*trial).recovery,
		"holds 80 % of the line again in time after the other flow has ended"),
	controls(quick(Behaviour, "fairness", (*trial).fairness,
		"shares a port fairly among four equal flows, and uses it")),
	controls(quick(Behaviour, "latecomers", (*trial).latecomers,
		"also shares it fairly among flows that join one after another")),
	quick(Behaviour, "beside-dcqcn", (*trial).beside,
		"gets its share beside DCQCN: two flows of each"),
	byClock(quick(Behaviour, "decision-time", (*trial).decisionTime,
		"answers fast")),
	full(Behaviour, "incast-8", (*trial).incast8,
		"completes an incast of 8 and loses no frame"),
	full(Behaviour, "incast-16", (*trial).incast16,
		"completes an incast of 16 and loses no frame"),
	controls(full(Behaviour, "queue", (*trial).queue,
		"keeps the queue of sixteen flows bounded")),
	controls(full(Behaviour, "joining", (*trial).joining,
		"makes room for a flow that joins, and has the port back after it")),
	full(Behaviour, "loss", (*trial).loss,
		"survives the loss of one frame in a thousand"),
	full(Behaviour, "outage", (*trial).outage,
		"survives a link that is down for a millisecond, and does not disturb other flows"),
	full(Behaviour, "clocks", (*trial).clocks,
		"stands clocks that are off, drift and are read with noise"),
}

func full(class, name string, run func(*trial) Row, about string) Check {
	return Check{Name: name, About: about, Labels: []string{class, name}, run: run}
}

func quick(class, name string, run func(*trial) Row, about string) Check {
	c := full(class, name, run, about)
	c.Labels = append(c.Labels, Quick)
	return c
}

func controls(check Check) Check {
	check.control = true
	return check
}

func byClock(check Check) Check {
	check.clocked = true
	return check
}

// Checks returns the checks of the given names that a filter chooses by their labels, in the order of the report. No
// names are all; a filter has Ginkgo's form: "contract", "loss || outage", "quick && !build", and "" for all. The error
// names the unknown check or label.
func Checks(names []string, filter string) (chosen []Check, err error) {
	for _, n := range names {
		if !slices.ContainsFunc(checks, func(c Check) bool { return c.Name == n }) {
			return nil, fmt.Errorf("there is no check %q: %s", n, spelling.Hint(n, checkNames(), "there are "+allNames()))
		}
	}
	match, err := types.ParseLabelFilter(filter)
	if err != nil {
		return nil, fmt.Errorf("%q is not a filter of labels: write labels joined by &&, || and !, in brackets "+
			"where needed; labels are %s", filter, allLabels())
	}
	for _, c := range checks {
		if match(c.Labels) && (len(names) == 0 || slices.Contains(names, c.Name)) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no check is labelled %s: labels are %s", filter, allLabels())
	}
	return chosen, nil
}

func checkNames() (list []string) {
	for _, c := range checks {
		list = append(list, c.Name)
	}
	return list
}

func allNames() string { return strings.Join(checkNames(), ", ") }

func allLabels() string {
	return strings.Join([]string{Contract, Behaviour, Quick}, ", ") + " and the names of the checks: " + allNames()
}
