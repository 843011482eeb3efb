package scenario

import (
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// faultKind is one kind of fault, with everything that distinguishes it from the others. Each has its own file; the
// reading of its keys, their docs, the JSON Schema and the messages follow from the value.
type faultKind struct {
	// name is the word for it in a file.
	name string
	// told is the key that implies the kind of a fault without kind, "" for a kind that must be written.
	told string
	// least is the shortest fault of the kind, for the test of defaults.
	least string
	// keys are its keys, in the order in which messages list them. Several kinds may have a key, each with its own doc
	// and its own target; the schema is the first kind's.
	keys []field[faultDraft]
	// fresh makes what its own keys are read into, nil for a kind without.
	fresh func() any
	// check is called once all keys are read, if it is not nil.
	check func(r *reader, n *node, f *faultDraft)
	// add gives the plan the fault. Keys that are missing or refused have been reported.
	add func(b *builder, f *faultDraft)
}

// faultKinds are the kinds of faults, in the order in which messages list them.
var faultKinds = []*faultKind{&linkFault, &pfcStorm, &oneWayFault, &switchReboot, &drainFault}

// faultDraft is a fault as written.
type faultDraft struct {
	// at is the position of the faulty thing's name, node the whole fault.
	at   position
	node *node
	kind *faultKind // nil for one that is refused

	// link is the faulty link, toward one of its ends; sw and host are the faulty switch and the faulty host. from and
	// to, down and up are its times.
	link, toward       string
	sw, host           string
	from, to, down, up unit.Time
	detect             unit.Duration
	// own is the target of keys that other kinds do not have.
	own any
}

func newFaultDraft(n *node) faultDraft {
	draft := faultDraft{at: n.At, node: n, to: unit.Never, up: unit.Never}
	name := toldFault(n)
	if k := n.Child("kind"); k != nil && k.Kind == document.Scalar {
		name = k.Text
	}
	if draft.kind = faultKindNamed(name); draft.kind != nil && draft.kind.fresh != nil {
		draft.own = draft.kind.fresh()
	}
	return draft
}

// has reports whether the fault has a key.
func (f *faultDraft) has(key string) bool { return f.node.Child(key) != nil }

// toldFault names the kind of a fault without kind: the first one whose key implies it, and a fault of a link if there
// is none; "" for a fault of a switch.
func toldFault(n *node) string {
	for _, k := range faultKinds {
		if k.told != "" && n.Child(k.told) != nil {
			return k.name
		}
	}
	if n.Child("switch") != nil {
		return "" // several kinds have it
	}
	return linkFault.name
}

// untoldFaults names the kinds that must be written.
func untoldFaults() (names []string) {
	for _, k := range faultKinds {
		if k.told == "" {
			names = append(names, k.name)
		}
	}
	return names
}

// faultKindNamed returns the kind of a name, nil if there is none.
func faultKindNamed(name string) *faultKind {
	for _, k := range faultKinds {
		if k.name == name {
			return k
		}
	}
	return nil
}

func namesOfFaults() (names []string) {
	for _, k := range faultKinds {
		names = append(names, k.name)
	}
	return names
}

// faultFields returns the keys of all kinds: kind itself, and each kind's, restricted to the kinds that have them.
func faultFields() []field[faultDraft] {
	names := namesOfFaults()
	fields := []field[faultDraft]{
		choiceField("kind", "", names,
			"Kind of the fault: of a link, of a host or its NIC, or of a switch. If left out, it follows from the key "+
				"link or host.",
			func(f *faultDraft, i int) { f.kind = faultKinds[i] }),
	}
	for _, k := range faultKinds {
		for _, key := range k.keys {
			at := slices.IndexFunc(fields, func(f field[faultDraft]) bool { return f.key == key.key })
			if at < 0 {
				at = len(fields)
				fields = append(fields, key)
				fields[at].kinds, fields[at].required = nil, false
			} else {
				fields[at].read = readOf(k, key.read, fields[at].read)
			}
			fields[at].addKind(k.name, &key)
		}
	}
	for i := range fields {
		fields[i].joinDocs()
	}
	return fields
}

// readOf reads a key of a kind in its own way, and of any other in theirs.
func readOf(k *faultKind, own, others func(*reader, *node, *faultDraft)) func(*reader, *node, *faultDraft) {
	return func(r *reader, n *node, f *faultDraft) {
		if f.kind == k {
			own(r, n, f)
		} else {
			others(r, n, f)
		}
	}
}

var faultPass = pass{
	name:  "faults",
	after: []*pass{&switchPass, &nicPass},
	run:   addFaults,
}

// addFaults gives the plan its faults.
func addFaults(b *builder) {
	for i := range b.faults {
		if f := &b.faults[i]; f.kind == nil {
			b.requireReported(f.node)
		} else {
			f.kind.add(b, f)
		}
	}
}

// orList lists alternatives for messages: "loss or ber", "loss, ber, or down".
func orList(words []string) string {
	last := len(words) - 1
	if last < 2 {
		return strings.Join(words, " or ")
	}
	return strings.Join(words[:last], ", ") + ", or " + words[last]
}
