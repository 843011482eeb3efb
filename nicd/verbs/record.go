package verbs

// Status is the end of our host's work, as in a completion (IBA volume 1, 11.6.2).
type Status uint8

// The statuses. Unfinished means that work is left.
const (
	Unfinished Status = iota
	Success
	RemoteInvalidRequest
	RemoteAccess
	RemoteOperational
	RetryExceeded
)

var statusNames = [...]string{"unfinished", "success", "remote invalid request", "remote access error",
	"remote operational error", "retries exceeded"}

func (s Status) String() string { return statusNames[s] }

// Counters count packets and events of one end. Counters of requests have the names of soft-RoCE's hw_counters.
type Counters struct {
	Sent, Received uint64
	// DuplicateRequest and OutOfSeqRequest are requests of the peer that came again, and requests that were answered by
	// a NAK for a gap; Ahead are requests behind such a gap, which get no NAK of their own.
	DuplicateRequest, OutOfSeqRequest, Ahead uint64
	// SentRNR and ReceivedRNR are RNR NAKs, ReceivedSeqErr NAKs for a gap.
	SentRNR, ReceivedRNR, ReceivedSeqErr uint64
	// Retries are timeouts with a repetition of all open packets, Resent packets that left more than once, ReadGaps
	// gaps among the responses to our READs.
	Retries, Resent, ReadGaps uint64
	CNPs                      uint64
	// By operation of the peer, messages that were served.
	Sends, Writes, Reads uint64
}

// Record is the record of one end.
type Record struct {
	Counters
	// Status is the end of our work, Completed the number of its messages that were completed, ReadErrors the number of
	// READs with bytes other than the shadow's.
	Status     Status
	Completed  uint64
	ReadErrors uint64
	// Refused is the syndrome of the NAK that ended the peer's requests, 0 for none.
	Refused uint8
	// Messages is the number of messages that took a receive here, ReceivedSum their digest; SentSum is the digest of
	// our messages that take a receive there. MemorySum is the SHA-256 of our region, ShadowSum the expected one of the
	// peer's. All in hexadecimal.
	Messages                                   uint64
	ReceivedSum, SentSum, MemorySum, ShadowSum string
}
