// Package notification is the message that a congested switch sends to the
// proximal switch, the one next to the sender, so that CNPs can start there and
// need not come from the receiver; and what the proximal switch answers.
//
// Model. draft-ji-ccwg-distributed-lossless-mechanism-00 puts into the notification the congested port, the depth of
// its queue and the usage of the buffer. It leaves the format open, so the format is rocelab's own, as are the fields
// beyond those three: the flows and their number, the queue's growth, the thresholds, the types other than Congestion.
// A Message is the payload of a UDP datagram; its port and everything around it belong to package wire.
//
// Layout, most significant byte first:
//
//	 0  2  magic 0x5052
//	 2  1  version 1
//	 3  1  Type
//	 4  4  Origin
//	 8  4  Sequence
//	12  8  Time, ns
//	20  2  Port
//	22  1  Priority, 0 to 7
//	23  1  Count, 0 to 8
//	24  4  Depth, bytes
//	28  4  Before, bytes
//	32  4  Elapsed, ns
//	36  4  Rate, Mb/s
//	40  2  Usage, 1/65535
//	42  2  Degree, 1/65535
//	44  4  Threshold, bytes
//	48  4  Kmax, bytes
//	52  4  Lifetime, us
//	56  2  Live
//	58  2  Level, 1/65535
//	60     Count times a Flow of 24 bytes:
//	    4  SrcIP
//	    4  DstIP
//	    4  DstQP, high byte 0
//	    4  SrcQP, high byte 0
//	    4  Bytes
//	    2  SrcPort
//	    2  Share, 1/65535
//
// Contract. Decode is total and exact: AppendTo gives back the very bytes of
// every message that Decode accepts, Decode gives back every Message whose
// values the fields can hold, and it refuses everything else with a
// DecodeError.
//
// Limits. IPv4. Messages are not authenticated: a network that lets strangers send to its switches has to filter the
// port at its edge.
package notification
