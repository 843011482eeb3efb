package verbs

// Status is the end of our host's work, as a completion has it (IBA volume 1, 11.6.2).
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
	// DuplicateRequest and OutOfSeqRequest are requests of the peer that came again, and requests that were
	// answered by a NAK for a gap; Ahead are all requests behind such a gap, most of them without a NAK, and READs that
	// came when too many answers waited.
	DuplicateRequest, OutOfSeqRequest, Ahead uint64
	// SentRNR and ReceivedRNR are RNR NAKs, ReceivedSeqErr NAKs for a gap.
	SentRNR, ReceivedRNR, ReceivedSeqErr uint64
	// Retries are timeouts, each with everything sent again, Resent packets that left more than once, ReadGaps
	// gaps among the responses to our READs.
	Retries, Resent, ReadGaps uint64
	CNPs                      uint64
	// By operation of the peer, messages that were served.
	Sends, Writes, Reads uint64
}

// Record is the account of one end.
type Record struct {
	Counters
	// Status is the end of our work, Completed the number of its messages that did, ReadErrors that of READs with
	// other bytes than the shadow has.
	Status     Status
	Completed  uint64
	ReadErrors uint64
	// Refused is the syndrome of the NAK that ended the peer's requests, 0 for none.
	Refused uint8
	// Messages is the number of messages that took a receive here, ReceivedSum their digest; SentSum is that
	// of our messages that take a receive there. MemorySum is the SHA-256 of our region, ShadowSum of the contents
	// that the peer's must have. All in hexadecimal.
	Messages                                   uint64
	ReceivedSum, SentSum, MemorySum, ShadowSum string
}
