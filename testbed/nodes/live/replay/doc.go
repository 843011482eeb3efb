// Package replay keeps what comes in at the edges of a live run in its run folder, and
// finds it there again for a replay: a journal for each edge and run, of package
// edge/journal.
package replay
