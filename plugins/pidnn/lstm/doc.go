// Package lstm is the predictor of the LSTM+PIDNN congestion control: a recurrent network that predicts from three
// features of a flow's round-trip times how far the next one will lie from their smoothed value.
//
// One layer of 16 hidden units is run over the three inputs with the same weights,
// from a hidden state and a cell state of zero, and a linear layer makes one number
// of the last hidden state (thesis on neural-network congestion control of data
// centre networks, "LSTM+PIDNN", section 3.4.1, equations 4 to 10). With one bias
// per gate these are 1169 parameters.
//
// Forward is used for inference and for training alike, so that a trained network
// predicts in a run what it predicted in training, to the bit: package elementary
// makes the exponentials, and no product is fused into a sum.
//
// Differs from the paper: equation 6 writes C_t for the candidate, and the paper gives the update of the cell state in
// words only. It is the usual one: C_t = f_t C_(t-1) + i_t C~_t.
package lstm
