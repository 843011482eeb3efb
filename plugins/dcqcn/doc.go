// Package dcqcn is the reaction point of DCQCN: the sending NIC's answer to
// CNPs.
//
// The congestion point is the switch that marks, the notification point the
// receiving NIC that answers CE-marked data with CNPs, at most one per
// min_time_between_cnps and flow. The reaction point keeps for each flow a
// current rate R_C, a target rate R_T and an estimate of congestion, alpha. A
// flow runs unlimited, at line rate and without timers, until its first CNP.
//
// Two rules for a CNP are built in, by the parameter set:
//
//   - paper (Zhu et al., "Congestion Control for Large-Scale RDMA
//     Deployments", SIGCOMM 2015, section 3.2): every CNP cuts the rate by
//     alpha/2 and then raises alpha; alpha decays each K without a CNP.
//   - nvidia (ConnectX-4 and later, as documented by NVIDIA's mlxconfig
//     parameters and followed by the public RDMA simulator, alibaba-edu HPCC
//     ns-3): a clock cuts the rate if a CNP came since its last tick; another
//     moves alpha each period, up if a CNP came in it, down if not.
//
// The way up is shared: a timer and a byte counter count stages T and BC; below
// the threshold F both lead half way back to R_T (fast recovery), then R_T
// grows by R_AI, and by R_HAI once both stages are beyond F.
//
// Differences from the public RDMA simulator: it has no byte counter
// (rpg_byte_reset 0B), compares the stage with F before counting it (its F = 1
// gives one step of fast recovery, which here is rpg_threshold 2), adds R_AI in
// one step only and R_HAI for ever after (hai_stages either), cuts for each
// marked packet that is acknowledged (min_time_between_cnps 0s), and may have a
// window (window, window_rtt). It sends no CNP packets.
//
// The alpha clock has no outward effect, so it has no timer: its ticks are
// made up for at the next CNP or cut, one by one, with the result, to the bit,
// of having ticked in time. A flow asks for a wake-up only for the next cut
// after a CNP, for the increase timer and for the byte counter.
//
// A CNP may carry a rate if a switch next to the sender put it there: see rateincnp.go for what follows from it. Alpha
// and its clocks do not see such a CNP.
//
// Extensions, all off by default, come from "The Signal Before the Stall", an article on ECN and DCQCN in AI fabrics;
// extensions.go quotes the article on each, and notes contradictions to the DCQCN paper. They are recovery by a step
// per RTT (recovery=rtt; rtt_in_cnp scales it) or by one clock of the NIC (recovery=rir) in place of timer, byte
// counter and target rate; jitter of CNPs and of the first step up; and alpha by the fraction of CNPs. Each works with
// either rule for CNPs. Those that need the RTT ask for ACKs, or for CNPs that bring it; the others do not.
//
// Rates are floating point inside and truncated to whole bit/s in decisions.
//
// Not here: marking (the switch's), CNP generation, priority and DSCP (the
// NIC's; customarily DSCP 48, priority 6), and alpha in steps of 1/1024, in
// which real firmware may keep it.
package dcqcn
