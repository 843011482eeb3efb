// Package lossless shows that priority flow control keeps its promise: a burst of 64 senders at line rate, without any
// congestion control, loses nothing as long as switch and NICs obey PFC and the headroom suffices; and it shows, on the
// wire of a paused port, how. It shows too the cost of PFC if a NIC is broken: a storm stops all that send towards it,
// until it ends or a watchdog gives up the promise.
//
// Sources: IEEE 802.1Q clause 36 and annex N (PFC, headroom); IEEE 802.3 annex
// 31B and 31D (quanta of 512 bit times, a new time replaces the old, the frame
// under way completes); Guo et al., SIGCOMM 2016, section 4.3, and the PFC
// watchdog of SONiC (storms); Choudhury and Hahne, 1998 (dynamic thresholds).
package lossless
