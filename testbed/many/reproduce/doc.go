// Package reproduce carries out published experiments, and compares the results with the printed ones.
//
// A Row is one published experiment: a scenario with variants and values of its keys, the readings from its runs, and
// the published figures. A Registry has the claims of sources, one entry for each sentence, and the criteria:
// expressions over the figures of a row. A Site reads and runs scenarios; it plans a row as a Job, which
// testbed/many/sweep carries out: each run has a folder named by its content, so that a stopped job resumes and repeats
// nothing. A row measures its figures once its runs are done, and they are judged: met, missed, or missed for a reason
// that the registry documents. Only claims are scored, by recorded figures, which keep a hash of the entries under
// which they were judged.
//
// The package does not know papers. The package experiments has the rows of four, as data.
package reproduce
