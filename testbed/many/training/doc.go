// Package training trains what LSTM+PIDNN has learnt before it is used: the
// predictor of the next RTT, and the gains of the PID.
//
// The order is the thesis's (chapter 3):
//
//	collect.go  runs of the thesis's incast in this process, each sender recorded
//	record.go   one RTT sample at a time
//	pairs.go    three features K and the label L, as many of each range of |K|
//	fit.go      L1 loss, Adam, backpropagation through time
//	score.go    MAPE, beside predictors that have learnt nothing
//	tune.go     the gains, learnt online with the trained predictor in the loop
//	file.go     the file of weights that the algorithm reads
//
// Networks are the LSTM that the algorithm runs (package lstm, the same forward
// pass), and for comparison a GRU and a simple recurrent network of the same
// width. Runs to train with, to test with and to tune with have seeds of their
// own.
//
// All of it follows from Options, to the bit: chance comes from streams of the
// seed, exponentials from package elementary, and no product is fused into a
// sum. A training takes seconds.
//
// Differs from the thesis: it names neither the optimiser nor the batch; here
// they are Adam and single pairs. It counts 19058 pairs for training and test
// together and draws both from the same; here as many are kept of runs to train
// with, and as many of other runs to test with.
//
// The gains that the thesis prints come out where the predictor is not yet in
// the loop, so they are tuned that way, too, and both are reported.
package training
