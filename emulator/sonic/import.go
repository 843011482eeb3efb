package sonic

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Imported is the result of importing a configuration.
type Imported struct {
	// Scenario is a whole scenario that runs: the switch, a host at each port that is up, and an incast.
	Scenario []byte
	// Lines report the outcome for each key, in the order of the file. A table that is not read has one.
	Lines []conversion.Line
	// Warnings are about what the configuration asks for and its switch may not have.
	Warnings []string
	// plain is Scenario without the profile of a chip.
	plain []byte
}

// read are the tables that are read; a file must have one of them.
var read = []string{"PORT", "WRED_PROFILE", "QUEUE", "SCHEDULER", "BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG",
	"BUFFER_QUEUE", "DSCP_TO_TC_MAP", "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP", "MAP_PFC_PRIORITY_TO_QUEUE",
	"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "PORT_QOS_MAP", "PFC_WD", "CABLE_LENGTH"}

// Import makes a scenario of the text of a config_db.json; name is the file's for messages. An error is
// a scenario.Errors with all problems found, each with line, column and path. No input panics.
func Import(name string, text []byte) (*Imported, error) { return ImportAs(name, text, "") }

// ImportAs is Import of a switch with a chip, by the word of scenarios; "" for that of its hwsku, if that is known.
func ImportAs(name string, text []byte, chip string) (*Imported, error) {
	d := &device{}
	t, err := d.read(name, text)
	if err != nil {
		return nil, err
	}
	imported, err := d.convert(t, chip)
	if err != nil {
		d.Add(d.root.At, "the scenario that follows from it is not valid: %v", err)
		return nil, d.Err()
	}
	imported.Lines, imported.Warnings = d.lines(), d.warnings
	return imported, nil
}

// read reads the text of a configuration.
func (d *device) read(name string, text []byte) (*tables, error) {
	if d.root = parse(&d.problems, name, text); d.root == nil {
		return nil, d.Err()
	}
	if d.refuseOther(); d.Len() == 0 && !d.hasTables() {
		d.add(d.root, "none of the tables that are read is there: they are %s", strings.Join(read, ", "))
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	t := d.readTables()
	return t, d.Err()
}

// convert writes the scenario, and reports the outcome for each key.
func (d *device) convert(t *tables, chip string) (*Imported, error) {
	f := settleFailover([]*device{d})
	s, memory, size, err := d.convertTables(t, f, chip)
	if err != nil {
		return nil, err
	}
	s.failover = f
	judgeFailover(d, f)
	imported := &Imported{Scenario: d.write(t, s, memory, size)}
	s.chip = ""
	imported.plain = d.write(t, s, memory, size)
	return imported, nil
}

// convertTables finds the settings of the switch, what a scenario must remember of the configuration, and the size of
// its buffer.
func (d *device) convertTables(t *tables, f *failover, chip string) (*settings, *Memory, unit.Bytes, error) {
	s := d.settle(t)
	if err := d.measure(t, s); err != nil {
		return nil, nil, 0, err
	}
	d.settleBuffers(t, s)
	d.judge(t, s)
	memory := Memory{Names: d.names(t, s)}
	memory.Names.keepFailover(d, f)
	p, err := planOf(d.write(t, s, &memory, ample))
	if err != nil {
		return nil, nil, 0, err
	}
	size := s.shared + guaranteed(p, 0) // the pool, and all that is guaranteed beside it
	if size > ample {
		return nil, nil, 0, fmt.Errorf("%v for %s plus all guaranteed memory, allowed is up to %v", size, s.pool,
			unit.Bytes(ample))
	}
	p.Switches[0].Profile.Buffer = size
	memory.Was = d.remember(Export(p, 0, memory).Config)
	d.fitChip(s, d.findChip(chip), size)
	return s, &memory, size, nil
}

func (d *device) hasTables() bool {
	for _, table := range read {
		if d.root.child(table) != nil {
			return true
		}
	}
	return false
}

func (d *device) readTables() *tables {
	t := &tables{maps: map[string]map[string]*numberMap{}}
	t.wred, t.schedulers = d.readWRED(), d.readSchedulers()
	t.pools, t.buffers = d.readPools(), d.readProfiles()
	for _, table := range mapTables {
		t.maps[table.field] = d.readMaps(table)
	}
	d.readPorts()
	d.readQoS()
	d.readQueues()
	d.readGroups()
	d.readWatchdogs()
	readFailover(d)
	return t
}

// ample is a buffer that is large enough for every plan.
const ample = 100e9

// measure finds the headroom that follows from each link, in a scenario that does not set it.
func (d *device) measure(t *tables, s *settings) error {
	p, err := planOf(d.write(t, s, &Memory{}, ample))
	if err != nil {
		return err
	}
	for i, port := range d.ports {
		port.headroom = headroomAt(p, 0, i)
	}
	return nil
}

// planOf is the plan of a scenario.
func planOf(text []byte) (*plan.Plan, error) {
	read, err := scenario.Parse("scenario", text, nil)
	if err != nil {
		return nil, err
	}
	plans, err := read.Plans()
	if err != nil {
		return nil, err
	}
	if len(plans) != 1 || len(plans[0].Switches) != 1 {
		return nil, errors.New("it has not one switch")
	}
	return plans[0], nil
}

// guaranteed returns the part of a switch's buffer that is reserved for the lossless classes of all its ports.
func guaranteed(p *plan.Plan, at int) (sum unit.Bytes) {
	settings := &p.Switches[at].Profile
	for port := range p.Switches[at].Links {
		for class := range profile.Classes {
			if settings.PFC.Enabled && settings.PFC.Lossless[class] {
				sum += settings.Reserve + headroomAt(p, at, port)
			}
		}
	}
	return sum
}

// headroomAt returns the headroom of one lossless class at a port of a switch.
func headroomAt(p *plan.Plan, at, port int) unit.Bytes {
	link := p.Switches[at].Links[port]
	near := p.Attachment(link, p.Links[link].B == plan.End{Node: p.SwitchNode(at), Port: port})
	return p.Switches[at].Profile.OfPort(port).HeadroomFor(&near, p.MaxFrame())
}

// refuseOther refuses a configuration that is not of one switch with one chip.
func (d *device) refuseOther() {
	for _, m := range d.root.members {
		if m.value.child("DEVICE_METADATA") != nil || m.value.child("PORT") != nil {
			d.add(m.value, "a file of several chips, with a namespace for each at the top: rocelab imports switches of one chip")
			return
		}
	}
	meta := d.root.child("DEVICE_METADATA").child("localhost")
	for _, field := range []string{"asic_name", "sub_role"} {
		if v := meta.child(field); v != nil && v.Text != "" {
			d.add(v, "%q: the file is of one chip of a switch with several, and some of its ports lead to the "+
				"others: rocelab imports switches of one chip", shorten(v.Text))
		}
	}
	if v := meta.child("switch_type"); v != nil && (v.Text == "voq" || v.Text == "chassis-packet" || v.Text == "fabric") {
		d.add(v, "%q: a chassis with virtual output queues has another buffer than a switch of rocelab", v.Text)
	}
	name := meta.child("hostname")
	if name != nil && name.Kind == document.Scalar && isName(name.Text) && !isPort(name.Text) {
		d.name = name.Text
		name.taken("")
	}
}

// isName reports whether a text may be a name in a scenario.
func isName(text string) bool {
	for i, c := range text {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' ||
			i > 0 && (c == '_' || c == '.' || c == '+' || c == '-')) {
			return false
		}
	}
	return text != "" && len(text) <= 64
}
