// Package model is the nodes of a plan as models: what each is made from, how
// it is built, and what it reports.
//
// Every runner goes this way, so that they cannot differ: Blueprints turns a plan
// into blueprints, one for each node, which are plain data and may travel to
// another process; a Builder makes the node that a blueprint describes; its
// Report is plain data again, and Assemble puts the reports of all nodes
// together into an outcome. A blueprint holds what its own node is told and
// nothing of the others.
//
// Each kind of node is registered once, by Register, which says how its nodes go each
// of these steps; runners, daemons and results ask for the kind and know none. A new
// kind is a package with a Design, a Model and a Record; package modeltest has one.
package model
