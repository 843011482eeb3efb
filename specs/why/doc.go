// Package why has specs of the attribution: why a flow took as long as it did (docs/why.md). Each part is proven by
// an intervention: what is said to be the cause is taken away, and the part goes with it.
package why
