// Package sweep has the specs of sweeps on engines: Slurm and Kubernetes accept the submissions, and whatever is
// killed, cut off, full or begun twice, the table is that of a sweep on one machine, or names the missing runs.
package sweep
