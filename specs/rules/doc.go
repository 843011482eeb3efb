// Package rules holds every shipped algorithm to its rules, each by the equation
// of its paper: what a flow of a real fabric was told, and what it answered.
//
// A spec runs a scenario through switches and NICs, reads the sender's event log
// and works out from the events, the flow's facts and the algorithm's parameters
// what the answer must be. It asks for no fairness and no utilisation. It also asks
// that the rule came into force in the run: a rule that never acts proves nothing.
//
// Each sentence has at least one mutant in package mutant that turns it red.
package rules
