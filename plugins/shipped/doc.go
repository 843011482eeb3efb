// Package shipped lists the algorithms that come with rocelab and are built into
// it. With the build tag nobuiltin it lists none, and programs find their
// algorithms as plugins alone (package registry).
package shipped
