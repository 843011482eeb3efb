// Package lab has the common parts of the acceptance specs: it runs a scenario given as text or as a file, insists that
// every byte is accounted for, and gathers numbers over several seeds.
package lab
