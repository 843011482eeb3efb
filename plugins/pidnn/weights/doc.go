// Package weights is the file that a trained predictor is kept in, and the one
// that is shipped.
//
// The file is text, so that a difference can be read. Its lines, in this order:
//
//	rocelab pidnn weights 1
//	network lstm hidden=16 steps=3 parameters=1169
//	command rocelab train pidnn --seed 1
//	seed 1
//	mape train=0.0352 test=0.0361
//	gains kp=-0.358 ki=-0.06 kd=0.04
//	-0x1.8p-03 0x1p-04 ...
//	sha256 5f0c...
//
// The command made the file from the seed. mape is the mean absolute percentage error of the predictions as a fraction
// (thesis on LSTM+PIDNN, equation 13), gains are those of the PID that training ended with; both are 0 if not measured
// or tuned. They are for readers: a flow's gains are parameters of the algorithm. 64 lines of 18 weights follow, one
// for each gate and unit, and one line of 17 for the linear layer, in the order of lstm.Network and written as
// hexadecimal floating point, which is exact. The last line is the SHA-256 of all bytes before it. Every line ends with
// a newline; a file that differs from this in any way is refused.
package weights
