// Package model is the nodes of a plan as models: what each is made from, how
// it is built, and what it reports.
//
// Every runner goes this way, so that they cannot differ: Blueprints turns a plan into blueprints, one for each node,
// which are plain data and may travel to another process; a Builder makes the node that a blueprint describes; its
// Report is plain data again, and Assemble puts the reports of all nodes together into an outcome. A blueprint holds
// the data of its own node and nothing of the others.
//
// Each kind of node is registered once, by Register, with the functions for each of these steps; runners, daemons and
// results look the kind up and do not know any. A new kind is a package with a Design, a Model and a Record; package
// modeltest has one.
package model
