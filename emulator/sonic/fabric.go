package sonic

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Text is a file by the name that messages call it.
type Text struct {
	Name string
	Text []byte
}

// NIC is the settings of NICs, from elsewhere.
type NIC struct {
	// Name is the name of the file for messages, Host the host's. Guess is set if Host was guessed from the name:
	// without such a host, the settings apply to all.
	Name, Host string
	Guess      bool
	// Params are parameters of dcqcn and Keys are keys of a NIC, each as a line of a scenario.
	Params, Keys []string
	// Lines report the outcome for each setting.
	Lines []conversion.Line
}

// Sources are the files of a fabric.
type Sources struct {
	// Configs are the configurations of its switches, Links the list of its links.
	Configs []Text
	Links   Text
	NICs    []NIC
	// Chip is the chip of all switches, by the word of scenarios; "" for that of each one's hwsku, if that is known.
	Chip string
}

// ImportFabric makes one scenario of the configurations of several switches, the links between them and to hosts, and
// the settings of NICs. A path of its lines begins with the name of the switch. An error is a scenario.Errors with all
// problems found.
func ImportFabric(from *Sources) (*Imported, error) {
	f := &fabricImport{sources: from, hosts: map[string]*host{}}
	for _, config := range from.Configs {
		f.readConfig(config)
	}
	f.cables = parseLinks(&f.problems, from.Links.Name, from.Links.Text)
	if f.problems.Len() == 0 && len(f.cables) == 0 {
		f.problems.Add(document.Position{File: from.Links.Name, Line: 1, Column: 1}, "the list has no link")
	}
	if err := f.problems.Err(); err != nil {
		return nil, err
	}
	f.joinCables()
	f.addIdle()
	f.giveNICs()
	if err := f.problems.Err(); err != nil {
		return nil, err
	}
	return f.write()
}

// fabricImport is a fabric that is being put together.
type fabricImport struct {
	problems document.Problems
	sources  *Sources
	devices  []*device
	read     []*tables
	files    []string
	cables   []*cable
	// hosts are the hosts by name, names the names in the order in which they were found.
	hosts map[string]*host
	names []string
	// idle is the number of ports without a link.
	idle int
}

// host is a host of the fabric: nic is its settings, nil if it has none of its own.
type host struct {
	server string
	nic    *NIC
}

// readConfig reads the configuration of a switch.
func (f *fabricImport) readConfig(config Text) {
	d := &device{}
	at := document.Position{File: config.Name, Line: 1, Column: 1}
	t, err := d.read(config.Name, config.Text)
	if err != nil {
		var list document.Errors
		if errors.As(err, &list) {
			for _, one := range list {
				f.problems.Add(document.Position{File: one.File, Line: one.Line, Column: one.Column}, "%s", one.Message)
			}
		}
		return
	}
	if d.name == "" {
		name := strings.TrimSuffix(filepath.Base(config.Name), filepath.Ext(config.Name))
		if !isName(name) {
			f.problems.Add(at, "the switch has no hostname, and %q is not a name: set DEVICE_METADATA|localhost|hostname",
				shorten(name))
			return
		}
		d.name = name
	}
	for i, other := range f.devices {
		if other.name == d.name {
			f.problems.Add(at, "the switch is called %s, and so is that of %s: each needs a hostname of its own", d.name,
				f.files[i])
			return
		}
	}
	f.devices, f.read, f.files = append(f.devices, d), append(f.read, t), append(f.files, config.Name)
}

// device returns the switch of a name; nil for a host.
func (f *fabricImport) device(name string) *device {
	for _, d := range f.devices {
		if d.name == name {
			return d
		}
	}
	return nil
}

// joinCables finds the ports that the links join.
func (f *fabricImport) joinCables() {
	for _, c := range f.cables {
		for i := range c.ends {
			f.findEnd(c, &c.ends[i])
		}
		a, b := c.ends[0].of, c.ends[1].of
		switch {
		case c.ends[0].device == nil && c.ends[1].device == nil:
			f.problems.Add(c.at, "neither %s nor %s is a switch of the configurations: they are %s", c.ends[0].node,
				c.ends[1].node, f.switchNames())
			continue
		case a != nil && b != nil && a.rate != b.rate:
			f.problems.Add(c.at, "%v has a speed of %v and %v one of %v: a link has one speed", &c.ends[0], a.rate, &c.ends[1],
				b.rate)
		}
		c.settleLength()
	}
	f.nameHosts()
}

// settleLength gives a link the length of its line, or the longer one of its ports' lengths.
func (c *cable) settleLength() {
	length := c.length
	if length == 0 {
		for _, e := range c.ends {
			if e.of != nil {
				length = max(length, e.of.length)
			}
		}
	}
	for _, e := range c.ends {
		if e.of != nil {
			e.of.length = length
		}
	}
}

// findEnd finds the port of an end, if it is of a switch.
func (f *fabricImport) findEnd(c *cable, e *cableEnd) {
	if e.device = f.device(e.node); e.device == nil {
		switch {
		case isPort(e.port):
			hint := ""
			if near := spelling.Nearest(e.node, f.deviceNames()); near != "" {
				hint = ", or did you mean " + near + "?"
			}
			f.problems.Add(c.at, "there is no configuration of %s, although a link ends at its port %s: add its "+
				"config_db.json%s",
				shorten(e.node), shorten(e.port), hint)
		case !isName(e.node) || e.port != "" && !isName(e.port):
			f.problems.Add(c.at, "%q is not a host and its port: allowed are letters, digits and _ . + -", shorten(e.String()))
		}
		return
	}
	p := e.device.known[e.port]
	var up []string
	for _, one := range e.device.ports {
		up = append(up, one.name)
	}
	switch {
	case p == nil:
		f.problems.Add(c.at, "%s has no port %q: %s", e.node, shorten(e.port),
			spelling.Hint(e.port, up, "the ports that are up are "+strings.Join(up, ", ")))
	case p.down:
		f.problems.Add(c.at, "port %s of %s is down: a link needs both its ends up", e.port, e.node)
	case p.cable != nil:
		f.problems.Add(c.at, "port %s of %s has a link already, in line %d", e.port, e.node, p.cable.at.Line)
	default:
		p.cable, e.of = c, p
	}
}

func (f *fabricImport) deviceNames() (names []string) {
	for _, d := range f.devices {
		names = append(names, d.name)
	}
	return names
}

func (f *fabricImport) switchNames() string { return someOf(f.deviceNames()) }

// someOf lists names, the first few of many.
func someOf(names []string) string {
	const few = 8
	if more := len(names) - few; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), more)
	}
	return strings.Join(names, ", ")
}

// write writes the scenario, and the outcome for each key.
func (f *fabricImport) write() (*Imported, error) {
	out := &Imported{}
	var switches, comments strings.Builder
	if f.idle > 0 {
		out.Lines = append(out.Lines, conversion.Line{
			Path:    "/links",
			Verdict: conversion.Approximated,
			Is:      unit.Count(f.idle, "host"),
			Note:    "a port that is up and has no link has a host of its own",
		})
	}
	reroute := settleFailover(f.devices)
	var settled []*settings
	for i, d := range f.devices {
		s, memory, size, err := d.convertTables(f.read[i], reroute, f.sources.Chip)
		if err != nil {
			f.problems.Add(document.Position{File: f.files[i], Line: 1, Column: 1},
				"the scenario that follows from it is not valid: %v", err)
			return nil, f.problems.Err()
		}
		settled = append(settled, s)
		comments.WriteString(memory.comments(d.name))
		var own strings.Builder
		s.writeSwitch(&own, size)
		d.writePorts(&own, f.read[i], s, "  ")
		fmt.Fprintf(&switches, "  %s:\n", quoted(d.name))
		for line := range strings.Lines(strings.TrimPrefix(own.String(), "switch:\n")) {
			switches.WriteString("  " + line)
		}
		for _, warning := range d.warnings {
			out.Warnings = append(out.Warnings, d.name+": "+warning)
		}
	}
	text := func() []byte {
		b := &strings.Builder{}
		fmt.Fprintf(b, "# Switches as SONiC configures them, and the links of a list.\n%sname: fabric\n\n", &comments)
		f.writeTopology(b)
		fmt.Fprintf(b, "switches:\n%s\n", &switches)
		reroute.write(b)
		f.writeHosts(b, settled[0])
		return []byte(b.String())
	}
	out.Scenario = text()
	_, err := scenario.Parse("scenario", out.Scenario, nil)
	if reroute.refuse(err) {
		out.Scenario = text()
		_, err = scenario.Parse("scenario", out.Scenario, nil)
	}
	for _, d := range f.devices {
		judgeFailover(d, reroute)
		for _, line := range d.lines() {
			line.Path = d.name + line.Path
			out.Lines = append(out.Lines, line)
		}
	}
	for _, nic := range f.sources.NICs {
		for _, line := range nic.Lines {
			line.Path = nic.Name + " " + line.Path
			out.Lines = append(out.Lines, line)
		}
	}
	if err != nil && !slices.ContainsFunc(out.Warnings, func(w string) bool { return strings.Contains(w, refuses) }) {
		f.problems.Add(document.Position{File: f.files[0], Line: 1, Column: 1},
			"the scenario that follows from the files is not valid: %v", err)
		return nil, f.problems.Err()
	}
	return out, nil
}
