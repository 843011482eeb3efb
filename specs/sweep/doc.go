// Package sweep has the specs of sweeps on engines: what Slurm and Kubernetes are handed
// is what they take, and whatever is killed, cut off, full or begun twice, the table is
// that of a sweep on one machine, or names what is missing.
package sweep
