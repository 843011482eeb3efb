// Package serve makes a program of an algorithm: a plugin for rocelab. An algorithm that
// implements cc.Algorithm becomes one by
//
//	func main() { serve.Algorithm(myalgorithm.Algorithm{}) }
//
// The code is the same as inside rocelab and gives the same results to the bit. Calls come
// one at a time, never two at once. What it writes to stdout or stderr goes to the plugin's
// log.
//
// The program needs Linux. Elsewhere it can be built, and prints that it needs Linux.
package serve
