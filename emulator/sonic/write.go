package sonic

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// switchName is the switch's where the configuration does not name it.
const switchName = "s0"

// write returns the text of the scenario; a buffer of 0 is left to rocelab.
func (d *device) write(t *tables, s *settings, memory *Memory, buffer unit.Bytes) []byte {
	b := &strings.Builder{}
	name := d.name
	if name == "" {
		name = switchName
	}
	fmt.Fprintf(b, "# One switch as SONiC configures it, and a host with the name of each port that is up.\n"+
		"%sname: %s\n\n", memory.comments(""), quoted(name))
	d.writeTopology(b, name)
	s.writeSwitch(b, buffer)
	d.writePorts(b, t, s, "  ")
	b.WriteString("\n")
	s.failover.write(b)
	s.writeHosts(b)
	senders := min(len(d.ports)-1, 8)
	fmt.Fprintf(b, "traffic:               # an incast, to be replaced by your own\n"+
		"  - {name: burst, kind: incast, senders: %d, receiver: %s, size: %dMB}\n", senders, d.slowest().host(),
		d.burst(t, senders))
	return []byte(b.String())
}

// burst is the size of each sender's flow in MB: at least 1, and enough to fill the queue of any port that marks
// several times over.
func (d *device) burst(t *tables, senders int) int64 {
	const fills = 8
	kmax := unit.Bytes(0)
	for _, p := range d.ports {
		for q := range profile.Classes {
			kmax = max(kmax, p.wredOf(t, q).kmax)
		}
	}
	all := fills * min(kmax, unit.GB)
	return max(1, int64((all+unit.Bytes(senders)*unit.MB-1)/(unit.Bytes(senders)*unit.MB)))
}

// slowest returns the last of the slowest ports, the place for many senders to meet.
func (d *device) slowest() *port {
	slow := d.ports[0]
	for _, p := range d.ports {
		if p.rate <= slow.rate {
			slow = p
		}
	}
	return slow
}

// quoted is a name as YAML reads it: one that looks like a number has quotes.
func quoted(name string) string {
	for _, c := range name {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			if c != 'e' && c != 'E' && c != 'x' && c != 'o' {
				return name
			}
		}
	}
	return strconv.Quote(name)
}

func (d *device) writeTopology(b *strings.Builder, name string) {
	fmt.Fprintf(b, "topology:\n  kind: explicit\n  nodes:\n    - {name: %s, kind: switch}\n", quoted(name))
	for _, p := range d.ports {
		fmt.Fprintf(b, "    - {name: %s}\n", p.host())
	}
	b.WriteString("  links:\n")
	for i, p := range d.ports {
		fmt.Fprintf(b, "    - {endpoints: [\"%s:0\", \"%s:%d\"], rate: %s, length: %dm}\n", p.host(), name, i,
			rateText(p.rate), p.length/unit.Metre)
	}
	b.WriteString("\n")
}

func (s *settings) writeSwitch(b *strings.Builder, buffer unit.Bytes) {
	b.WriteString("switch:\n")
	if s.chip != "" {
		fmt.Fprintf(b, "  profile: %s\n", s.chip)
	}
	fmt.Fprintf(b, "  buffer: %s    # shared memory plus all guaranteed memory\n", describe(buffer))
	if s.alpha > 0 {
		fmt.Fprintf(b, "  alpha: %s\n", strconv.FormatFloat(s.alpha, 'g', -1, 64))
	}
	b.WriteString("  alpha_rate: 0bps     # alpha holds at every port as it is\n")
	fmt.Fprintf(b, "  reserve: %s\n  headroom: %s\n  resume_offset: %s\n", describe(s.reserve), describe(s.headroom),
		describe(s.resume))
	if lossless := classList(s.lossless); lossless == "[]" {
		b.WriteString("  pfc: {enabled: false}\n")
	} else {
		fmt.Fprintf(b, "  pfc: {lossless: %s}\n", lossless)
	}
	s.writeECN(b)
	if w := s.watchdog; w.on {
		fmt.Fprintf(b, "  watchdog: {detect: %sms, restore: %sms, action: %s}\n", milliseconds(w.detect),
			milliseconds(w.restore), actionOf(w.drop))
	} else {
		b.WriteString("  watchdog: {enabled: false}\n")
	}
	s.writeQueues(b)
}

// writeECN writes a profile for each group of classes that have the same.
func (s *settings) writeECN(b *strings.Builder) {
	b.WriteString("  ecn:                 # scale_rate 0bps: thresholds hold at every port as they are\n")
	done := [profile.Classes]bool{}
	for class := range profile.Classes {
		of := s.wred[s.queueOf[class]]
		if done[class] || !of.marks {
			continue
		}
		var same [profile.Classes]bool
		for other := range profile.Classes {
			same[other] = s.wred[s.queueOf[other]] == of
			done[other] = done[other] || same[other]
		}
		fmt.Fprintf(b, "    - %s\n", of.text(same))
	}
	if !done[3] {
		b.WriteString("    - {classes: [3], enabled: false}\n")
	}
}

func (s *settings) writeQueues(b *strings.Builder) {
	var strict [profile.Classes]bool
	var weights, dscps, queues []string
	for q, of := range s.schedules {
		if strict[q] = of.strict; !of.strict && of.weight != 1 {
			weights = append(weights, fmt.Sprintf("%d: %d", q, of.weight))
		}
	}
	fmt.Fprintf(b, "  scheduling: {strict: %s, weights: {%s}}\n  classes:\n", classList(strict),
		strings.Join(weights, ", "))
	others := mostOf(s.classOf[:])
	for dscp, class := range s.classOf {
		if class != others || dscp == 26 || dscp == 48 || dscp == 56 {
			dscps = append(dscps, fmt.Sprintf("%d: %d", dscp, class))
		}
	}
	fmt.Fprintf(b, "    dscp: {%s}\n    others: %d\n", strings.Join(dscps, ", "), others)
	for class, q := range s.queueOf {
		if q != class {
			queues = append(queues, fmt.Sprintf("%d: %d", class, q))
		}
	}
	fmt.Fprintf(b, "    queues: {%s}\n    control: %s\n", strings.Join(queues, ", "), classList(s.control()))
}

// writeHosts gives the NICs a DSCP of the first lossless class, or of the first that is marked.
func (s *settings) writeHosts(b *strings.Builder) {
	if data := s.dataDSCP(); data >= 0 {
		fmt.Fprintf(b, "nic: {data_dscp: %d}\n", data)
	}
	b.WriteString("algorithm: dcqcn\n")
}

// dataDSCP is the DSCP of data: one of the first lossless class, or of the first that is marked; -1 for none.
func (s *settings) dataDSCP() int {
	data := -1
	for class := profile.Classes - 1; class >= 0; class-- {
		if s.wred[s.queueOf[class]].marks && s.classes() == 0 || s.lossless[class] {
			if dscp := s.dscpOf(class); dscp >= 0 {
				data = dscp
			}
		}
	}
	return data
}

// dscpOf returns a DSCP that is mapped to a class: 26 if it is, else the least; -1 for none.
func (s *settings) dscpOf(class int) int {
	if s.classOf[26] == class {
		return 26
	}
	for dscp, of := range s.classOf {
		if of == class {
			return dscp
		}
	}
	return -1
}

// classList is a list of classes as a scenario has it, "[3, 4]".
func classList(in [profile.Classes]bool) string {
	return "[" + strings.ReplaceAll(classText(in), ",", ", ") + "]"
}

// describe is a size as a scenario has it, exactly.
func describe(b unit.Bytes) string { return bytesText(b) + "B" }
