package sonic

import (
	"fmt"
	"math"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// noGroupUses and noQueueUses are about profiles that nothing uses.
const (
	noGroupUses = "no lossless priority group has the profile"
	noQueueUses = "no queue that a traffic class uses has the profile"
)

// judgeBuffers reports the outcome for pools, buffer profiles and priority groups.
func (d *device) judgeBuffers(t *tables, s *settings) {
	used := map[string]bool{}
	for _, p := range d.ports {
		for group, g := range p.groups {
			class := -1
			for c, lossless := range s.lossless {
				if lossless && s.groupOf[c] == group {
					class = c
				}
			}
			b := t.buffers[g.name]
			switch {
			case g.at == nil:
			case class < 0:
				g.at.absent("only lossless classes have buffer of their own; all have the same alpha")
			case b != nil && b.fits(t, s, p) && class == group:
				used[g.name] = true
			default:
				used[g.name] = true
				g.at.approximated(p.guarantee(), differs)
			}
		}
	}
	for _, p := range d.ports {
		for _, g := range p.groups {
			g.at.taken("")
		}
	}
	for _, m := range d.entries("BUFFER_PROFILE") {
		if !used[m.key] {
			absentAll(m.value, noGroupUses)
			continue
		}
		t.buffers[m.key].judge(m.value, t, s, d.users(m.key, s))
	}
	for _, m := range d.entries("BUFFER_POOL") {
		if m.key != s.pool {
			absentAll(m.value, "no lossless priority group has its memory there")
			continue
		}
		d.judgePool(m.value, s)
	}
}

// fits reports whether a profile equals the chosen settings.
func (b *buffer) fits(t *tables, s *settings, p *port) bool {
	usual := profile.DefaultSwitch()
	return b.alphaIn(t.pools) == p.alpha && given(b.reserve, usual.Reserve) == s.reserve &&
		given(b.resume, usual.ResumeOffset) == s.resume && p.hasHeadroom(b) && b.pool == s.pool
}

// hasHeadroom reports whether the headroom chosen for a port is a profile's headroom.
func (p *port) hasHeadroom(b *buffer) bool {
	return b.xoff > 0 && (b.xoff == p.set || p.set == 0)
}

// guarantee describes what a lossless class of a port has.
func (p *port) guarantee() string { return guaranteeOf(p.alpha, p.set) }

func guaranteeOf(alpha float64, set unit.Bytes) string {
	headroom := "as the link needs it"
	if set > 0 {
		headroom = bytesText(set)
	}
	return fmt.Sprintf("alpha %s, headroom %s", numberText(alpha), headroom)
}

// judge reports the outcome for the fields of a profile that some ports have.
func (b *buffer) judge(entry *value, t *tables, s *settings, users []*port) {
	of := "; this is of " + portNames(users)
	at := users[0]
	for _, p := range users {
		if !b.fits(t, s, p) {
			at = p
			break
		}
	}
	agree(entry.child("pool"), b.pool == s.pool, s.pool, "a switch of rocelab has one memory")
	entry.child("pool").taken("")
	power := entry.child("dynamic_th")
	alpha := "alpha " + numberText(at.alpha)
	exact := b.alpha == at.alpha && power.is(fmt.Sprint(math.Log2(at.alpha)))
	agree(power, exact, alpha, fmt.Sprintf("a port has one for all its classes, at most %d", profile.MaxAlpha)+of)
	power.taken(alpha)
	entry.child("static_th").approximated(alpha,
		"near its share of the pool; unlike a fixed threshold it shrinks as the pool fills")
	size := entry.child("size")
	if b.counted {
		size.approximated(bytesText(s.reserve), "size includes the headroom: the rest of it is guaranteed")
	}
	agree(size, b.reserve == s.reserve, bytesText(s.reserve), differs+of)
	size.taken("")
	agree(entry.child("xoff"), at.hasHeadroom(b), bytesText(at.set),
		"the largest of the port's classes, which a guarantee may be"+of)
	entry.child("xoff").taken("")
	agree(entry.child("xon_offset"), b.resume == s.resume, bytesText(s.resume), differs+of)
	entry.child("xon_offset").taken("")
	entry.child("xon").absent("only xon_offset decides when a class resumes")
}

func (d *device) judgePool(entry *value, s *settings) {
	entry.child("size").taken("")
	kind := entry.child("type")
	agree(kind, kind.is("ingress"), "ingress", "a switch of rocelab admits at the ingress")
	kind.taken("")
	mode := entry.child("mode")
	agree(mode, mode.is("dynamic"), "dynamic", "thresholds follow the free memory")
	mode.taken("")
	if xoff := entry.child("xoff"); !xoff.is("0") {
		sum := unit.Bytes(0)
		for _, p := range d.ports {
			sum += unit.Bytes(s.classes()) * p.ownHeadroom()
		}
		xoff.approximated(bytesText(sum), "shared headroom: each class of each port has its own here, so many bytes together")
	}
}

// classes counts the lossless ones.
func (s *settings) classes() (n int) {
	for _, is := range s.lossless {
		if is {
			n++
		}
	}
	return n
}
