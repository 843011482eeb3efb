// Package pidnn is LSTM+PIDNN, from a thesis (in Chinese) on congestion control of
// data centre networks by neural networks: the sender predicts the next round-trip
// time and steers its rate by a PID controller, so that the RTT comes to a target.
//
// A sample is taken one round trip at a time (Sampler): the first packet sent
// after the ACK of the last sample gives the next. Each sample runs the whole
// algorithm once:
//
//	R_t -> S_t, K_t         predictor.go  equations 2 and 3
//	out = LSTM(K_(t-2..t))  lstm          equations 4 to 10
//	RTTpred = (1 + out) S_t predictor.go  equation 12
//	RTTch, off by default   target.go     equations 27 and 28, Table 2
//	delta = PID(RTTpred)    pid.go        equations 14 to 18 and 20
//	rate *= 1 + delta       sender.go     equation 19
//	+WIN, off by default    sender.go     HPCC's window
//
// The gains are constants in use and were tuned beforehand by gradient descent in
// a network whose nodes are the three parts of the PID (learn.go, equations 21 to
// 26); with parameter learn a flow goes on tuning its own. The predictor is trained
// offline; its weights are a file (package weights).
//
// Differs from the paper:
//   - Equation 20 bounds delta by 0.5 from above, Table 3 by 0.6: parameter
//     delta_max, by default the equation's.
//   - Equation 14 divides the error by the target, Table 3 does not: parameter
//     e_norm, by default as in the equation.
//   - Before the third sample there are no three features for the network; the
//     PID works alone until then, on the sample itself (section 4.2.3).
//   - The printed counter of RTTch never becomes negative, so that it fires above
//     the target alone, though the text speaks of both sides: parameter rttch has
//     both readings. The target has bounds, see target.go.
//   - Units of the tuning are not given: RTTs count in us, rates in Gb/s.
//
// Limits. The target is an absolute time that fits one network: the thesis has 5 us
// where the base RTT is 4.2 us, and a flow whose base RTT is longer than its target
// would go down to min_rate. So the target is no less than the same share of the
// flow's own base RTT (parameter target_rtts). Losses change
// nothing but that a resent packet gives no sample. T2 - T1 of equation 1, the
// receiver's delay, is taken for 0 as in the thesis.
//
// A flow is floating point inside, rates are truncated to whole bit/s in decisions.
package pidnn
