// Package comparison runs one scenario under several algorithms over the same
// seeds and says how they differ, and how sure that is.
//
// Of each metric and algorithm it gives the median over the seeds and the range;
// of each algorithm against the first the ratio of the medians, a bootstrap
// interval of that ratio and the p of a Mann-Whitney test (package statistics).
// Seeds are few, so nothing is assumed of how values are distributed.
//
// A seed gives every algorithm the same start offsets and the same ECMP. The
// statistics make no use of that pairing: once algorithms decide differently,
// the streams of chance are drawn at other instants, and what a seed's runs
// have in common is little.
//
// Runs are independent of each other, so several may run at a time; the report
// is the same for any number of jobs.
//
// A Reference holds printed values of a publication, to be shown beside the
// measured ones.
package comparison
