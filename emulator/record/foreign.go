package record

// ForeignKind is the kind of a frame that came in at an edge, as its bytes claim.
type ForeignKind uint8

// The kinds.
const (
	ForeignData         ForeignKind = iota // RoCEv2 requests and read responses
	ForeignACK                             // RoCEv2 acknowledgements, NAKs among them
	ForeignCNP                             // RoCEv2 congestion notification packets
	ForeignPFC                             // pauses of priorities (IEEE 802.1Q, 36)
	ForeignNotification                    // messages of proximal CNP
	ForeignOther                           // all else, RoCEv2 with a wrong ICRC among it
	NumForeign
)

// Foreign counts the frames that came in at an edge, including frames that the edge dropped.
type Foreign struct {
	Kinds [NumForeign]uint64
	// MadeCNPs are the CNPs that the edge made for its host and that did not come in, MadeBytes their bytes; DroppedCNPs
	// and DroppedBytes are the ones among them that found the NIC queue full.
	MadeCNPs, MadeBytes, DroppedCNPs, DroppedBytes uint64
	// OwnCNPs are CNPs from the receiver of a flow that ends behind the edge, OwnRefused the ones that the ACL ended.
	OwnCNPs, OwnRefused uint64
	// Posing counts, for each flow with any and in the order of the flows, the accepted frames that had the address of
	// the flow's other end. A NIC cannot distinguish them from the flow's own.
	Posing []Posing `json:",omitempty"`
}

// Posing counts the foreign frames that pose as a flow's own: data to its receiver with its sender's
// address, ACKs, NAKs and CNPs to its sender with its receiver's address.
type Posing struct {
	// Flow is the flow's number in the plan.
	Flow uint32
	// Data, ACKs and CNPs are frames; ACKs has the NAKs, too.
	Data, ACKs, CNPs uint64
}
