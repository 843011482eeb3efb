// Package lab is what the acceptance specs have in common: it runs a scenario
// given as text or as a file, insists that no byte was lost from the account, and gathers
// numbers over several seeds.
package lab
