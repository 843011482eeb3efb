package mlxconfig

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/scenario"
)

// Imported is the result of importing the settings of a NIC.
type Imported struct {
	// Scenario is a whole scenario that runs: NICs with these settings at one switch, and an incast.
	Scenario []byte
	// Lines report the outcome for each setting, in the order of the file. Settings unrelated to congestion control
	// have the note Other.
	Lines []conversion.Line
	// Params are the parameters of dcqcn, Keys the keys of the NIC, each as a line of a scenario.
	Params, Keys []string
}

// Other is the note of settings of other things.
const Other = "not of congestion control"

// The settings without a parameter of dcqcn, and the driver's names for them.
const (
	dscpName      = "CNP_DSCP"
	priorityName  = "CNP_802P_PRIO"
	maskName      = "ROCE_CC_PRIO_MASK"
	algorithmName = "ROCE_CC_ALGORITHM"
	maxRateName   = "RPG_MAX_RATE"
)

var special = map[string]string{
	dscpName:        dscpName,
	"cnp_dscp":      dscpName,
	"np_cnp_dscp":   dscpName,
	priorityName:    priorityName,
	"cnp_802p_prio": priorityName,
	"np_cnp_prio":   priorityName,
	maskName:        maskName,
	algorithmName:   algorithmName,
	maxRateName:     maxRateName,
	"rpg_max_rate":  maxRateName,
	"rp_max_rate":   maxRateName,
}

// Import makes a scenario of the settings of one port, 1 or 2; name is the file's for messages. An error is a
// scenario.Errors with all problems found. No input panics.
func Import(name string, text []byte, port int) (*Imported, error) {
	f := read(name, text)
	in := &importer{
		file:  f,
		port:  port,
		given: map[string]string{},
		seen:  map[string]pair{},
		dscp:  -1,
	}
	for _, p := range f.pairs {
		in.take(p)
	}
	in.takeQoS()
	for _, line := range f.others {
		in.lines = append(in.lines, conversion.Line{Path: document.Shorten(line), Verdict: conversion.Absent, Note: Other})
	}
	if f.problems.Len() == 0 && len(in.given) == 0 && in.dscp < 0 && f.qos == nil {
		f.add(1, 1, "no setting of congestion control: RPG_TIME_RESET_P%d=300 is one, as mlxconfig names them", port)
	}
	if f.problems.Len() > 0 {
		return nil, f.problems.Err()
	}
	out := in.write()
	if _, err := scenario.Parse(name, out, nil); err != nil {
		f.add(1, 1, "the scenario that follows from it is not valid: %v", err)
		return nil, f.problems.Err()
	}
	return &Imported{out, in.lines, in.params(), in.keys()}, nil
}

type importer struct {
	*file
	port int
	// given are the parameters of dcqcn; seen are the settings that were taken, by name.
	given map[string]string
	seen  map[string]pair
	// dscp is the DSCP of CNPs, -1 if it is not set.
	dscp  int
	lines []conversion.Line
}

func (in *importer) say(p pair, verdict conversion.Verdict, is, note string) {
	in.lines = append(in.lines, conversion.Line{
		Path:    p.written(),
		Verdict: verdict,
		Was:     p.value,
		Is:      is,
		Note:    note,
	})
}

// take reads one setting.
func (in *importer) take(p pair) {
	s, name := find(p.name), special[p.name]
	if s != nil {
		name = s.name
	}
	switch {
	case name == "":
		note := meant(p.name)
		if note == "" {
			note = Other
		}
		in.say(p, conversion.Absent, "", note)
		return
	case p.port > 0 && p.port != in.port:
		in.say(p, conversion.Absent, "", fmt.Sprintf("of the other port; --port %d takes it", p.port))
		return
	}
	if before, twice := in.seen[name]; twice {
		if before.value != p.value {
			in.add(p.line, p.column, "%s is %q, and %q in line %d: a NIC has one value", p.written(), document.Shorten(p.value),
				document.Shorten(before.value), before.line)
		} else {
			in.say(p, conversion.Absent, "", fmt.Sprintf("line %d sets it already", before.line))
		}
		return
	}
	in.seen[name] = p
	if s == nil {
		in.takeSpecial(p, name)
		return
	}
	switch v, ok := in.whole(p, 0, s.hi, s.unit); {
	case ok && v < s.lo:
		in.given[s.param] = s.least
		in.say(p, conversion.Approximated, s.param+" "+s.least, "the least that dcqcn takes")
	case ok:
		in.given[s.param] = s.write(v)
		in.say(p, conversion.Taken, s.param+" "+s.write(v), "")
	}
}

// takeSpecial reads a setting that has no parameter of dcqcn.
func (in *importer) takeSpecial(p pair, name string) {
	switch name {
	case dscpName:
		if v, ok := in.whole(p, 0, profile.MaxDSCP, ""); ok {
			in.dscp = int(v)
			in.say(p, conversion.Taken, "nic.cnp_dscp "+strconv.Itoa(in.dscp), "")
		}
	case priorityName:
		if _, ok := in.whole(p, 0, 7, ""); ok {
			in.say(p, conversion.Absent, "", "a frame has its class by its DSCP, and no VLAN tag")
		}
	case maskName:
		switch v, ok := in.whole(p, 0, 255, ""); {
		case ok && v == 255:
			in.say(p, conversion.Taken, "", "")
		case ok && v&(1<<3) != 0:
			in.say(p, conversion.Approximated, "255", "a NIC of a scenario controls all its flows")
		case ok:
			in.say(p, conversion.Approximated, "255",
				"congestion control is off for priority 3 of the NIC: write algorithm: fixed for that")
		}
	case algorithmName:
		switch v, ok := in.whole(p, 0, 15, ""); {
		case ok && v == 0:
			in.say(p, conversion.Taken, "dcqcn", "")
		case ok:
			in.say(p, conversion.Approximated, "ECN(0)", "the algorithm is dcqcn, which goes by ECN")
		}
	case maxRateName:
		switch v, ok := in.whole(p, 0, most, "Mb/s"); {
		case ok && v == 0:
			in.say(p, conversion.Taken, "line rate", "")
		case ok:
			in.say(p, conversion.Approximated, "0", "a flow may have the line rate")
		}
	}
}

// takeQoS adds the lines for the output of mlnx_qos.
func (in *importer) takeQoS() {
	q := in.qos
	if q == nil {
		return
	}
	say := func(path string, verdict conversion.Verdict, was, is, note string) {
		in.lines = append(in.lines, conversion.Line{
			Path:    path,
			Verdict: verdict,
			Was:     was,
			Is:      is,
			Note:    note,
		})
	}
	const oneWay = "export only writes settings of mlxconfig"
	switch {
	case q.mapped && q.byDSCP:
		say("dscp2prio", conversion.Approximated, "", "nic.dscp", oneWay)
	case q.mapped:
		say("dscp2prio", conversion.Absent, "", "", "the NIC trusts priorities of VLAN tags, and a frame has none")
	}
	if q.pfcText != "" {
		note := oneWay
		if q.pfcText != "none" {
			note = "a NIC of a scenario obeys pauses of every class"
		}
		say("PFC", conversion.Approximated, q.pfcText, "nic.pfc "+strconv.FormatBool(q.pfcText != "none"), note)
	}
	for _, line := range q.rest {
		say(document.Shorten(line), conversion.Absent, "", "", "a NIC serves its flows in turn")
	}
}

// write returns the text of the scenario.
func (in *importer) write() []byte {
	b := &strings.Builder{}
	b.WriteString("# NICs with the settings of a real one, at one switch.\nname: nic\n\n" +
		"topology: {kind: star, hosts: 9, rate: 100Gbps, latency: 1us}\n\nalgorithm:\n  name: dcqcn\n")
	if params := in.params(); params != nil {
		fmt.Fprintf(b, "  params:\n    %s\n", strings.Join(params, "\n    "))
	}
	if keys := in.keys(); keys != nil {
		fmt.Fprintf(b, "\nnic:\n  %s\n", strings.Join(keys, "\n  "))
	}
	b.WriteString("\ntraffic:               # an incast, to be replaced by your own\n" +
		"  - {name: burst, kind: incast, senders: 8, receiver: h8, size: 1MB}\n")
	return []byte(b.String())
}

// params are the parameters of dcqcn that were given.
func (in *importer) params() (list []string) {
	for i := range settings {
		if value, ok := in.given[settings[i].param]; ok {
			list = append(list, settings[i].param+": "+value)
		}
	}
	return list
}

// keys returns the keys of the NIC that were given.
func (in *importer) keys() (keys []string) {
	if in.dscp >= 0 {
		keys = append(keys, fmt.Sprintf("cnp_dscp: %d", in.dscp))
	}
	if q := in.qos; q != nil && q.mapped && q.byDSCP {
		var list []string
		for dscp, class := range q.priority {
			list = append(list, fmt.Sprintf("%d: %d", dscp, class))
		}
		keys = append(keys, "dscp: {"+strings.Join(list, ", ")+"}")
	}
	if q := in.qos; q != nil && q.pfcText != "" {
		keys = append(keys, fmt.Sprintf("pfc: %t", q.pfcText != "none"))
	}
	return keys
}
