// Package scenario turns one YAML file into plans.
//
// A file is read in four steps. The text becomes a tree of nodes that know their line and column. Overrides from the
// command line, and the overlay of each variant, change the tree. A table of keys, from which the JSON Schema is made
// too, reads each tree into a draft: every key, its type, unit, default, range and documentation are in that table and
// nowhere else. A kind of topology is one value in a file of its own (kind_star.go and so on), which has its keys,
// their defaults, the graph and the servers; so is a kind of fault, and each effect of a fault on a link
// (fault_outage.go and so on). Then the draft becomes a plan: the graph is generated and routed, host selectors become
// hosts, traffic becomes flows, faults find their links.
//
// Reading is strict: a key that the table does not have, a value of the wrong
// type or unit or out of range, a name used twice are errors. All problems of
// a file are reported together, each as "file:line:column: message", in the
// order of the file. No input panics.
//
// Resolved goes the other way: it writes the overrides into the source, at their places, and leaves all else as it was
// (edit.go).
//
// The YAML is version 1.2 as goccy/go-yaml reads it, one document, without anchors, aliases, merge keys and tags: a
// scenario states each thing at its place, and named algorithms and variants serve for shared settings.
package scenario
