// Package reproduction carries out experiments that somebody published, and holds what comes
// out against what was printed.
//
// A Row is one published experiment: a scenario with variants and values of its keys, what is
// read from its runs, what was published, and the criteria. A Site says how scenarios are read
// and run; it plans a row as a Job, which testbed/sweep carries out: each run has a folder
// named by its content, so that a job that was stopped goes on where it was and repeats
// nothing. Of finished runs alone a row measures its figures, which are judged: met, missed,
// or missed for a reason that the row documents.
//
// The package knows no paper. specs/papers has the rows of four.
package reproduction
