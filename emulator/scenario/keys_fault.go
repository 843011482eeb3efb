package scenario

import (
	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var faultKeys = &object[faultDraft]{
	what:    "fault",
	doc:     "A fault of one link or of several, a PFC storm, or a switch or a link that is rebooted or drained.",
	kind:    "kind",
	kinds:   namesOfFaults(),
	guess:   toldFault,
	written: untoldFaults(),
	fields:  faultFields(),
	check: func(r *reader, n *node, f *faultDraft) {
		if f.kind.check != nil {
			f.kind.check(r, n, f)
		}
	},
}

// The keys that several kinds of faults have.

// faultyLink is the link that is faulty.
func faultyLink(doc string) field[faultDraft] {
	const ends = `a link's two ends, such as "h0-s0"`
	f := namingField("link", ends, doc, func(f *faultDraft) *string { return &f.link })
	f.schema = func(*outline) schema { return schema{"type": "string", "minLength": 3} }
	read := f.read
	f.read = func(r *reader, n *node, fault *faultDraft) {
		read(r, n, fault)
		fault.at = n.At
	}
	return f
}

// namedLink documents the form of a link's name.
const namedLink = `The link: its two ends as in "h0-s0" or, if several links join the same nodes, ` +
	`"leaf0:4-spine0:0"; or a pattern such as "h*-s0".`

// towardEnd is one end of the link.
func towardEnd(doc string) field[faultDraft] {
	return namingField("toward", `an end of the link, such as "h0"`, doc,
		func(f *faultDraft) *string { return &f.toward })
}

// faultyHost is the host that is faulty.
func faultyHost(doc string) field[faultDraft] {
	return namingField("host", `a host, such as "h3"`, doc, func(f *faultDraft) *string { return &f.host })
}

// namingField reads the name of a faulty thing; want describes its form.
func namingField(key, want, doc string, at func(*faultDraft) *string) field[faultDraft] {
	return field[faultDraft]{
		key:    key,
		doc:    doc,
		schema: func(*outline) schema { return schema{"type": "string", "minLength": 1} },
		read: func(r *reader, n *node, fault *faultDraft) {
			text, _ := r.scalar(n, key, want)
			if *at(fault) = text; text == "" && n.Kind == document.Scalar {
				r.add(n.At, "%s is empty: it must be %s", key, want)
			}
		},
	}
}

// faultInstant is one of from, to, down and up.
func faultInstant(key, doc string, at func(*faultDraft) *unit.Time) field[faultDraft] {
	return instantField(key, "", "0s", "1000s", doc, at)
}

func downAt(doc string) field[faultDraft] {
	return faultInstant("down", doc, func(f *faultDraft) *unit.Time { return &f.down })
}

func upAt(doc string) field[faultDraft] {
	return faultInstant("up", doc, func(f *faultDraft) *unit.Time { return &f.up })
}

func fromAt(doc string) field[faultDraft] {
	return faultInstant("from", doc, func(f *faultDraft) *unit.Time { return &f.from })
}

func toAt(doc string) field[faultDraft] {
	return faultInstant("to", doc, func(f *faultDraft) *unit.Time { return &f.to })
}
