package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/topology"
)

// kind is one kind of topology, with everything that distinguishes it from the others. Each has its own file; the
// reading of its keys, their defaults, their docs, the JSON Schema and the messages follow from the value.
type kind struct {
	// name is the word for it in a file.
	name string
	// doc describes it, nodes the names of its nodes, both for readers of docs/scenarios.md.
	doc, nodes string
	// keys are its keys, in the order in which messages list them.
	keys []key
	// scaledBy is the key whose word chooses among the scaled defaults, "" for
	// a kind that has none.
	scaledBy string
	// fresh makes what its own keys are read into, nil for a kind without.
	fresh func() any
	// check is called once all keys are read, if it is not nil.
	check func(r *reader, n *node, f *fabricDraft)
	// graph makes the fabric, nil if it cannot be made; the reason is reported.
	graph func(b *builder, f *fabricDraft) *topology.Graph
	// servers gives each NIC the server that holds it. Nil for consecutive ones
	// by nics_per_server.
	servers func(b *builder)
}

// kinds are the kinds of topology, in the order in which messages list them.
var kinds = []*kind{
	&star, &dumbbell, &leafSpine, &fatTree, &rail, &twoDC, &pc4Testbed, &hpccFatTree, &explicit,
}

// key is a key of a kind.
type key struct {
	// field reads a key that no other kind has; for a key in common only its
	// name is given.
	field field[fabricDraft]
	// means is the meaning of a common key in this kind.
	means string
	// scaled are defaults that differ at a scale.
	scaled []scaledDefault
}

type scaledDefault struct{ scale, def string }

// own is a key that no other kind has.
func own(reading field[fabricDraft]) key { return key{field: reading} }

// common is one of commonKeys.
func common(name string) key { return key{field: field[fabricDraft]{key: name}} }

// meaning sets the meaning of a common key in this kind.
func (k key) meaning(text string) key {
	k.means = text
	return k
}

// byDefault gives a key in common another default than the common one.
func (k key) byDefault(text string) key {
	k.field.def = text
	return k
}

// at gives a key another default at a scale.
func (k key) at(scale, text string) key {
	k.scaled = append(slices.Clone(k.scaled), scaledDefault{scale, text})
	return k
}

// defaultAt returns the default of a key at a scale, as one would write it.
func (k *key) defaultAt(scale string) string {
	for _, s := range k.scaled {
		if s.scale == scale {
			return s.def
		}
	}
	if f := commonKey(k.field.key); k.field.def == "" && f != nil {
		return f.def
	}
	return k.field.def
}

// reader returns the field that reads a key.
func (k *key) reader() *field[fabricDraft] {
	if f := commonKey(k.field.key); f != nil {
		return f
	}
	return &k.field
}

// kindNamed returns the kind of a name, nil if there is none.
func kindNamed(name string) *kind {
	for _, k := range kinds {
		if k.name == name {
			return k
		}
	}
	return nil
}

func namesOfKinds() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// guessKind names the kind of a topology without kind: the one whose required keys are there. "" if there is none.
func guessKind(n *node) string {
	for _, k := range kinds {
		for i := range k.keys {
			if f := &k.keys[i].field; f.required && n.Child(f.key) != nil {
				return k.name
			}
		}
	}
	return ""
}

// keysOf lists the keys of a kind, for messages.
func keysOf(name string) []string {
	list := []string{"kind"}
	for _, k := range kindNamed(name).keys {
		list = append(list, k.field.key)
	}
	return list
}

// setDefaults reads the defaults of the kind, at the scale that the topology names.
func (k *kind) setDefaults(n *node, draft *fabricDraft) {
	if k.fresh != nil {
		draft.own = k.fresh()
	}
	scale := ""
	if c := n.Child(k.scaledBy); c != nil && c.Kind == document.Scalar {
		scale = c.Text
	}
	for i := range k.keys {
		if def := k.keys[i].defaultAt(scale); def != "" {
			readDefault(k.keys[i].reader().read, def, draft)
		}
	}
}

// readDefault reads a default, which must be right.
func readDefault[T any](read func(*reader, *node, *T), text string, t *T) {
	p := newProblems()
	if n := parseTree("default", []byte(text), p); n != nil {
		read(&reader{problems: p}, n, t)
	}
	if len(p.list) > 0 {
		panic(fmt.Sprintf("default %s: %v", text, p.list))
	}
}

// fabricFields are the keys of all kinds: kind itself, the common keys, and each kind's own, restricted to the kinds
// that have them.
func fabricFields() []field[fabricDraft] {
	names := namesOfKinds()
	fields := []field[fabricDraft]{
		choiceField("kind", "", names, "The generator. May be left out if nodes and links are given.",
			func(f *fabricDraft, i int) { f.kind = kinds[i] }),
	}
	for _, f := range commonKeys {
		f.doc = documented(f.doc, f.key)
		for _, k := range kinds {
			if k.key(f.key) != nil {
				f.kinds = append(f.kinds, k.name)
			}
		}
		fields = append(fields, f)
	}
	for _, k := range kinds {
		for i := range k.keys {
			if f := k.keys[i].field; commonKey(f.key) == nil {
				f.doc = strings.Replace(f.doc, "{scaled}", listScaled(k.keys[i].scaled, ", "), 1)
				fields = append(fields, f.ofKinds(k.name))
			}
		}
	}
	return fields
}

func (k *kind) key(name string) *key {
	for i := range k.keys {
		if k.keys[i].field.key == name {
			return &k.keys[i]
		}
	}
	return nil
}

func commonKey(name string) *field[fabricDraft] {
	for i := range commonKeys {
		if commonKeys[i].key == name {
			return &commonKeys[i]
		}
	}
	return nil
}

// makeGraph generates or wires the fabric; nil if it cannot be.
func (b *builder) makeGraph() *topology.Graph {
	if b.fabric.kind == nil {
		b.requireReported(b.fabric.node)
		return nil
	}
	return b.fabric.kind.graph(b, &b.fabric)
}

// withDefaults fills what a line does not say from another.
func withDefaults(line, other topology.Line) topology.Line {
	if line.Rate == 0 {
		line.Rate = other.Rate
	}
	if line.Latency == 0 {
		line.Latency = other.Latency
	}
	return line
}

// graphWithinLimits makes a fabric unless it is too small or too large.
func (b *builder) graphWithinLimits(of interface {
	Size() (hosts, links int)
	Graph() *topology.Graph
}) *topology.Graph {
	if hosts, links := of.Size(); hosts < 2 || hosts > maxHosts || links > maxLinks {
		b.add(b.fabric.at, "%d hosts and %d links: allowed are 2 to %d hosts and up to %d links",
			hosts, links, maxHosts, maxLinks)
		return nil
	}
	return of.Graph()
}
