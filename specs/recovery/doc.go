// Package recovery shows that every flow survives losses, and what an outage costs: the loss of a
// very last packet, counters of both ends, PSNs that wrap, a link that goes away and comes back.
// What losses cost go-back-N is row L1 of experiments/thesis.
//
// Sources: InfiniBand Architecture Specification, volume 1, sections 9.7.5 and 9.7.6 (PSN sequence
// errors, timeouts).
package recovery
