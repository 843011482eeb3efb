// Package architecture holds the tests of the house itself: which folder may
// import which, and what the models must not touch. It has no code of its own.
package architecture
