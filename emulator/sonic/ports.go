package sonic

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/profile"
)

// writePorts writes what ports have of their own, each after the indent; nothing if all have what the switch has.
func (d *device) writePorts(b *strings.Builder, t *tables, s *settings, indent string) {
	begun := false
	for _, p := range d.ports {
		own := p.own(t, s)
		if own == nil {
			continue
		}
		if !begun {
			fmt.Fprintf(b, "%sports:               # settings of single ports in place of it\n", indent)
			begun = true
		}
		fmt.Fprintf(b, "%s  %s:\n", indent, quoted(p.label))
		for _, line := range own {
			fmt.Fprintf(b, "%s    %s\n", indent, line)
		}
	}
}

// own returns the settings of a port that are not the switch's, as lines of a scenario.
func (p *port) own(t *tables, s *settings) (lines []string) {
	if p.alpha != s.alpha {
		lines = append(lines, "alpha: "+strconv.FormatFloat(p.alpha, 'g', -1, 64))
	}
	if p.set != s.headroom {
		lines = append(lines, "headroom: "+describe(p.set))
	}
	if list := p.ownMarking(t, s); list != nil {
		lines = append(lines, "ecn:")
		for _, one := range list {
			lines = append(lines, "  - "+one)
		}
	}
	if text := p.ownScheduling(t, s); text != "" {
		lines = append(lines, "scheduling: {"+text+"}")
	}
	if w := p.watchdog.values(); w != s.watchdog {
		lines = append(lines, "watchdog: "+w.text())
	}
	return lines
}

// ownMarking returns the marking profiles of a port that are not the switch's.
func (p *port) ownMarking(t *tables, s *settings) (list []string) {
	done := [profile.Classes]bool{}
	for class := range profile.Classes {
		of := p.wredOf(t, s.queueOf[class])
		if done[class] || of == s.wred[s.queueOf[class]] {
			continue
		}
		var same [profile.Classes]bool
		for other, q := range s.queueOf {
			same[other] = p.wredOf(t, q) == of && s.wred[q] != of
			done[other] = done[other] || same[other]
		}
		list = append(list, of.text(same))
	}
	return list
}

// text is a marking profile of some classes, as a scenario has it.
func (w *wred) text(classes [profile.Classes]bool) string {
	if !w.marks {
		return fmt.Sprintf("{classes: %s, enabled: false}", classList(classes))
	}
	return fmt.Sprintf("{classes: %s, kmin: %s, kmax: %s, pmax: %s, scale_rate: 0bps}", classList(classes),
		describe(w.kmin), describe(w.kmax), strconv.FormatFloat(float64(w.percent)/100, 'g', -1, 64))
}

// ownScheduling returns what a port's queues have otherwise than the switch's; "" for nothing.
func (p *port) ownScheduling(t *tables, s *settings) string {
	var strict, usual [profile.Classes]bool
	var weights, keys []string
	for q, of := range s.schedules {
		own := p.scheduleOf(t, q)
		strict[q], usual[q] = own.strict, of.strict
		if !own.strict && own.weight != max(1, of.weight) {
			weights = append(weights, fmt.Sprintf("%d: %d", q, own.weight))
		}
	}
	if strict != usual {
		keys = append(keys, "strict: "+classList(strict))
	}
	if weights != nil {
		keys = append(keys, "weights: {"+strings.Join(weights, ", ")+"}")
	}
	return strings.Join(keys, ", ")
}

// text is a watchdog as a scenario has it.
func (w watchdogUse) text() string {
	if !w.on {
		return "{enabled: false}"
	}
	return fmt.Sprintf("{enabled: true, detect: %sms, restore: %sms, action: %s}", milliseconds(w.detect),
		milliseconds(w.restore), actionOf(w.drop))
}

// actionOf is the word for what a watchdog does.
func actionOf(drop bool) string {
	if drop {
		return "drop"
	}
	return "forward"
}

// settle finds the settings of the lossless priority groups of a port; settings that the file lacks stay as they are.
// The headroom is the largest of its classes, for a guarantee may be more than is needed, and 0 if all follow from the
// link.
func (p *port) settle(t *tables, s *settings) (said bool) {
	var alphas []float64
	byLink := true
	for class, lossless := range s.lossless {
		b := t.buffers[p.groups[s.groupOf[class]].name]
		if !lossless || b == nil {
			continue
		}
		alphas = append(alphas, b.alphaIn(t.pools))
		p.set = max(p.set, b.xoff)
		byLink = byLink && (b.xoff == p.headroom || b.xoff <= 0)
	}
	if byLink {
		p.set = 0
	}
	p.alpha = mostOf(alphas)
	return alphas != nil
}

// users returns the ports with a lossless class that has the buffer profile of that name.
func (d *device) users(name string, s *settings) (list []*port) {
	for _, p := range d.ports {
		if p.classesWith(name, s) != nil {
			list = append(list, p)
		}
	}
	return list
}

// classesWith are the lossless classes of a port that have a buffer profile.
func (p *port) classesWith(name string, s *settings) (list []int) {
	for class, lossless := range s.lossless {
		if lossless && p.groups[s.groupOf[class]].name == name {
			list = append(list, class)
		}
	}
	return list
}
