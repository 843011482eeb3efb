// Package capacity works out how much traffic the fabric of a plan can carry between its hosts, and where the ranks of
// collectives are: oversubscription by kinds of switches, bisection and placements. All of it follows from the nodes
// and links, whichever of several paths the flows take.
package capacity
