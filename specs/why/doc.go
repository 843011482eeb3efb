// Package why has specs of the attribution: why a flow took as long as it did (docs/why.md). Each part is proven by an
// intervention: the supposed cause is removed, and the part disappears with it.
package why
