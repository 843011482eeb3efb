// Package scratch has folders for files that a command needs while it runs. Each has the lock of its process, which
// ends with it, so that what a command left that was killed is told apart and taken away by the next one.
package scratch
