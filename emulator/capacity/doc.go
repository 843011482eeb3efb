// Package capacity is how much the fabric of a plan carries between its hosts, and where on it the ranks of collectives
// are: oversubscription by kinds of switches, bisection, placements. All of it follows from nodes and links; which of
// several paths a flow takes is not asked.
package capacity
