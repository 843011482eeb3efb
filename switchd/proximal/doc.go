// Package proximal has the parts of proximal CNP, each without a switch around it: the measurements and messages of a
// congested device, and the reactions of the device next to a sender.
//
// # Model
//
//	H1 --- R11 ------ 120 km ------ R12 --- H2
//	  <- CNPs   <- notification
//
// R12, congested, finds the flows in its queue (Census), decides that it is
// congested and when to say so (Monitor), and notifies R11, the first switch on the
// flows' path. R11 knows how fast each flow sends (Meter) and what H1 makes of a CNP,
// works out how many CNPs bring the flow down to its share of R12's port (Entry.CNPs),
// sends them to H1 one by one (Pacer) and remembers the flow (Table): when it was congested in
// several periods of a training, R11 acts at the start of the next burst, and
// asks R12 to be silent (Silence).
//
// # Contract
//
// Nothing here knows frames, ports or queues; package switchd has the hooks. All
// is a function of the calls made and the times given: no clock, no chance, and
// no order of a map shows.
//
// # Source
//
// draft-ji-ccwg-distributed-lossless-mechanism-00, section 3. Points that the draft leaves open are rocelab's proposal,
// marked in the code.
package proximal
