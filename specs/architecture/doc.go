// Package architecture holds the tests of the house itself: which folder may
// import which, what the models must not touch, and how large a type may be. It has
// no code of its own.
package architecture
