// Package comparison runs one scenario under several algorithms over the same seeds and reports their differences, with
// their certainty.
//
// Of each metric and algorithm it gives the median over the seeds and the range;
// of each algorithm against the first the ratio of the medians, a bootstrap
// interval of that ratio and the p of a Mann-Whitney test (package statistics).
// Seeds are few, so nothing is assumed of how values are distributed.
//
// A seed gives every algorithm the same start offsets and the same ECMP. The statistics do not use that pairing: once
// algorithms decide differently, the streams of chance are drawn at other instants, and a seed's runs have little in
// common.
//
// Runs are independent of each other, so several may run at a time; the report
// is the same for any number of jobs.
//
// A Reference holds printed values of a publication, to be shown beside the
// measured ones.
package comparison
