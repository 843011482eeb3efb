package sonic

import (
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
)

// judgeBuffers says what became of pools, buffer profiles and priority groups.
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
			case b != nil && b.fits(t, s) && class == group:
				used[g.name] = true
			default:
				used[g.name] = true
				g.at.approximated(s.guarantee(), differs)
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
			absentAll(m.value, "no lossless priority group has the profile")
			continue
		}
		ports := d.portsWith(func(p *port) bool {
			return slices.ContainsFunc(p.groups[:], func(g use) bool { return g.name == m.key })
		})
		t.buffers[m.key].judge(m.value, t, s, ports)
	}
	for _, m := range d.entries("BUFFER_POOL") {
		if m.key != s.pool {
			absentAll(m.value, "no lossless priority group has its memory there")
			continue
		}
		d.judgePool(m.value, s)
	}
}

// fits reports whether a profile gives what was chosen.
func (b *buffer) fits(t *tables, s *settings) bool {
	usual := profile.DefaultSwitch()
	return b.alphaIn(t.pools) == s.alpha && given(b.reserve, usual.Reserve) == s.reserve &&
		given(b.resume, usual.ResumeOffset) == s.resume && s.hasHeadroom(b) && b.pool == s.pool
}

// hasHeadroom reports whether what was chosen is the headroom of a profile.
func (s *settings) hasHeadroom(b *buffer) bool {
	return b.xoff > 0 && (b.xoff == s.headroom || s.headroom == 0)
}

// guarantee describes what a lossless class of a port has.
func (s *settings) guarantee() string {
	headroom := "as the link needs it"
	if s.headroom > 0 {
		headroom = bytesText(s.headroom)
	}
	return fmt.Sprintf("alpha %s, headroom %s", numberText(s.alpha), headroom)
}

// judge says what became of the fields of a profile.
func (b *buffer) judge(entry *value, t *tables, s *settings, ports string) {
	of := "; this is of " + ports
	agree(entry.child("pool"), b.pool == s.pool, s.pool, "a switch of rocelab has one memory")
	entry.child("pool").taken("")
	power := entry.child("dynamic_th")
	exact := b.alpha == s.alpha && power.is(fmt.Sprint(math.Log2(s.alpha)))
	agree(power, exact, "alpha "+numberText(s.alpha),
		fmt.Sprintf("of most ports; alpha is at most %d", profile.MaxAlpha)+of)
	power.taken("alpha " + numberText(s.alpha))
	entry.child("static_th").approximated("alpha "+numberText(s.alpha),
		"near its share of the pool; unlike a fixed threshold it shrinks as the pool fills")
	size := entry.child("size")
	if b.counted {
		size.approximated(bytesText(s.reserve), "size counts the headroom in: what is left of it is guaranteed")
	}
	agree(size, b.reserve == s.reserve, bytesText(s.reserve), differs+of)
	size.taken("")
	agree(entry.child("xoff"), s.hasHeadroom(b), bytesText(s.headroom),
		"the largest of all ports, which a guarantee may be"+of)
	entry.child("xoff").taken("")
	agree(entry.child("xon_offset"), b.resume == s.resume, bytesText(s.resume), differs+of)
	entry.child("xon_offset").taken("")
	entry.child("xon").absent("a class resumes by xon_offset alone")
}

func (d *device) judgePool(entry *value, s *settings) {
	entry.child("size").taken("")
	kind := entry.child("type")
	agree(kind, kind.is("ingress"), "ingress", "a switch of rocelab admits at the ingress")
	kind.taken("")
	mode := entry.child("mode")
	agree(mode, mode.is("dynamic"), "dynamic", "thresholds follow what is free")
	mode.taken("")
	if xoff := entry.child("xoff"); !xoff.is("0") {
		sum := unit.Bytes(0)
		for _, p := range d.ports {
			own := p.headroom
			if s.headroom > 0 {
				own = s.headroom
			}
			sum += unit.Bytes(s.classes()) * own
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
