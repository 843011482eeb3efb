// Package rules holds every shipped algorithm to its rules, each by the equation of its paper: the inputs of a flow of
// a real fabric, and its answers.
//
// A spec runs a scenario through switches and NICs, reads the sender's event log
// and works out from the events, the flow's facts and the algorithm's parameters
// what the answer must be. It asks for no fairness and no utilisation. It also asks
// that the rule came into force in the run: a rule that never acts proves nothing.
//
// Beside them are the rules of switches, NICs, long-haul paths and edges that no other suite has: foreign frames come
// in from journals that a spec writes, and what each edge heard is read from a capture.
//
// Each sentence has at least one mutant in package mutant that turns it red.
package rules
