// Package record holds what models count and results print: counters per port
// and queue, statistics per flow, histograms of durations and time series.
// Counting costs a few nanoseconds and allocates nothing once warm.
package record
