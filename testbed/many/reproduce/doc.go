// Package reproduce carries out published experiments, and compares what comes out with
// what was printed.
//
// A Row is one published experiment: a scenario with variants and values of its keys, what is
// read from its runs, and what was published. A Registry has what sources claim, one entry for
// each sentence, and the criteria: expressions over the figures of a row. A Site knows how
// scenarios are read and run; it plans a row as a Job, which testbed/many/sweep carries out: each run
// has a folder named by its content, so that a job that was stopped goes on where it was and
// repeats nothing. A row measures its figures once its runs are done, and they are judged: met,
// missed, or missed for a reason that the registry documents. Only claims are scored, by
// recorded figures, which keep a hash of the entries under which they were judged.
//
// The package knows no paper. experiments has the rows of four, as data.
package reproduce
