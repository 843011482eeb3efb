// Package statistics tells chance from a difference: the median, the Mann-Whitney test of
// two samples, and the bootstrap interval of the ratio of two medians.
//
// Its functions are pure: a sample gives the same figures at every call.
package statistics
