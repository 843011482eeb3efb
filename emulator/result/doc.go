// Package result turns what a run brought back into what a person or a
// program reads: a verdict first, then tables, and a run folder of files whose
// columns carry their units.
package result
