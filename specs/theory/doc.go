// Package theory compares runs with closed forms: fixed points of fluid models, waits of queueing theory, shares of
// utility and max-min, the arithmetic of PFC, lower bounds of collectives, and go-back-N against loss. A row is a
// formula with its source, a tolerance, and a run. The tolerance was written down before the run was first made, and
// is not widened: a row that does not fit stays as a finding with its cause, and turns red if it fits one day.
//
// docs/theory.md has all rows: predicted, measured, error, tolerance and why. A run whose digits differ from the page's
// is red after its sentences; `go test ./specs/theory -rewrite` with ROCELAB_SLOW=1 writes the page again.
//
// Each row has a mutant in specs/mutant, which must turn it red: ROCELAB_NIGHT=1 go test -run Theory ./specs/mutant.
package theory
