package profile

import (
	"math"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Classes is the number of traffic classes, priorities and queues per port.
const Classes = 8

// Switch is the profile of a switch.
type Switch struct {
	// Chip names the switch chip whose figures are the defaults of the others; "" for
	// none. Nothing in a run depends on it.
	Chip string `json:"-"`
	// Buffer is the shared packet memory. Default 32 MB, the 100G switch of
	// the public RDMA simulator.
	Buffer unit.Bytes
	// Alpha is the dynamic threshold's share of the free shared memory: an
	// ingress (port, class) may hold Alpha x free. Range (0, MaxAlpha]. Default
	// 1/8 (Choudhury and Hahne, 1998; value of the public RDMA simulator).
	Alpha float64
	// AlphaRate is the port rate to which Alpha applies: each doubling above it doubles a port's alpha, as in the
	// public RDMA simulator. 0 applies Alpha to every port, as switches do. Default 0.
	AlphaRate unit.BitRate
	// Reserve is the guaranteed memory of each ingress (port, class) that is
	// lossless. Default 4 KB.
	Reserve unit.Bytes
	// Headroom is the memory of each lossless ingress (port, class) for what
	// still arrives after XOFF. 0 computes it from the link by HeadroomRule; the rule's terms
	// are in HeadroomFor.
	Headroom unit.Bytes
	HeadroomTerms
	// PauseResponse is the time until a port obeys a pause. ByRate is the longest that IEEE 802.3 allows. Default
	// ByRate.
	PauseResponse unit.Duration
	// ResumeOffset is the distance below the threshold to which an ingress must fall before XON. Default 3 KB.
	ResumeOffset unit.Bytes

	PFC PFC
	ECN [Classes]WRED
	// DropNotECT drops, in a lossy class, what WRED would mark and cannot, as it is not ECN-capable; otherwise
	// such frames pass. Default true; false in a plan with edges, whose hosts send handshakes and pings
	// of that kind.
	DropNotECT bool
	Watchdog   Watchdog
	// DCI is for ports that lead over a long-haul path to another switch.
	DCI DCI

	// ClassOf maps DSCP to traffic class. Default: 26 to 3, 48 to 6, 56 to 7,
	// every other to 0.
	ClassOf [64]uint8
	// QueueOf maps class to egress queue. Default: the same number.
	QueueOf [Classes]uint8
	// Control marks classes that bypass buffer accounting and are never
	// paused. Default: 6 and 7.
	Control [Classes]bool
	// Strict marks queues that are served before all others, the highest
	// number first. Default: 6 and 7.
	Strict [Classes]bool
	// Weight is each other queue's DWRR weight; a weight of w gives a quantum
	// of w x 1600 B a round. Range 1 to MaxWeight. Default 1.
	Weight [Classes]int

	Forwarding Forwarding
	// FlowletGap is the idle time after which a flow may take another next hop. Default 10 us.
	FlowletGap unit.Duration
	// Latency is the time from a frame's last bit to its eligibility at the egress. Default 0 (only store and forward),
	// real chips 300 to 800 ns.
	Latency unit.Duration
	// CutThrough sends a frame on before its last bit is here, if the egress is idle, not paused and not faster
	// than the ingress when the frame's header is through Latency; any other frame is stored and forwarded.
	// Default false.
	CutThrough bool `json:",omitzero"`
	// Accounted counts queues, thresholds and buffers in the bytes of the run's accounting, as the public RDMA
	// simulator does; otherwise in frame bytes. It differs only under wire.Bare48. Default false.
	Accounted bool
	// INT stamps in-band telemetry into packets that ask for it, at ports whose line rate fits a record. Default true.
	INT bool

	// Proximal is proximal CNP.
	Proximal Proximal

	// Own are the settings of ports that have their own, in the order of the ports' numbers. OfPort gives the settings
	// that apply at a port.
	Own []Port `json:",omitempty"`
}

// PFC is priority-based flow control (IEEE 802.1Q clause 36).
type PFC struct {
	// Enabled sends and honours pauses. Default true.
	Enabled bool
	// Lossless marks the classes that PFC protects. Default: 3.
	Lossless [Classes]bool
	// Quanta is the pause time sent, in units of 512 bit times. Range 1 to
	// 65535. Default 65535, 335.5 us at 100 Gb/s.
	Quanta uint16
	// Refresh is the share of the pause time after which a pause that still holds is sent again. Range (0, 1). Default
	// 0.5.
	Refresh float64
}

// WRED is the marking profile of a class's egress queue: probability 0 up to
// Kmin, rising to Pmax at Kmax, 1 above.
type WRED struct {
	// Enabled marks at all. Default: class 3.
	Enabled bool
	// Kmin and Kmax are queue lengths in bytes of frames at ScaleRate.
	// Default 400 KB and 1600 KB (public RDMA simulator at 100 Gb/s).
	Kmin, Kmax unit.Bytes
	// Pmax is the probability at Kmax. Range [0, 1]. Default 0.2.
	Pmax float64
	// ScaleRate is the port rate to which Kmin and Kmax apply; they grow and shrink with the port's rate. 0 applies
	// them to every port as they are. Default 100 Gb/s.
	ScaleRate unit.BitRate
	// AtEnqueue marks on arrival, by the queue that the frame met; the
	// default marks at departure, by the queue that it leaves behind, which
	// is younger by one queueing time.
	AtEnqueue bool
	// DropNotECT, if not nil, is for this class the setting that Switch.DropNotECT is for the lossy ones: some chips
	// drop frames that are not ECN-capable in a class that PFC protects, too. Default nil.
	DropNotECT *bool `json:",omitzero"`
	// BaseRTT is, for reports, the base RTT of a threshold that was written in bdp; 0 if both are sizes. Runs do not
	// depend on it.
	BaseRTT unit.Duration `json:"-"`
}

// At returns Kmin and Kmax at a port of the given rate.
func (w *WRED) At(rate unit.BitRate) (kmin, kmax unit.Bytes) {
	if w.ScaleRate > 0 {
		return w.Kmin.Scale(int64(rate), int64(w.ScaleRate)), w.Kmax.Scale(int64(rate), int64(w.ScaleRate))
	}
	return w.Kmin, w.Kmax
}

// Forwarding is the choice among several equal next hops.
type Forwarding uint8

// The modes.
const (
	// ECMP hashes addresses and ports: a flow keeps its path.
	ECMP Forwarding = iota
	// Flowlet lets a flow take another path after a pause of FlowletGap.
	Flowlet
	// Spray draws a next hop for each frame.
	Spray
	// RoundRobin takes the next hops in turn, frame by frame.
	RoundRobin
	// LeastQueue takes the next hop with the shortest egress queue.
	LeastQueue
)

// ForwardingNames are the words of scenarios, in the order of the constants.
var ForwardingNames = []string{"ecmp", "flowlet", "spray", "round_robin", "least_queue"}

// DefaultSwitch returns the profile of a scenario without settings of its own.
func DefaultSwitch() Switch {
	settings := Switch{
		Buffer:        32 * unit.MB,
		Alpha:         1.0 / 8,
		Reserve:       4 * unit.KB,
		PauseResponse: ByRate,
		ResumeOffset:  3 * unit.KB,
		DropNotECT:    true,
		PFC:           PFC{Enabled: true, Quanta: 65535, Refresh: 0.5},
		Watchdog:      Watchdog{Enabled: true, Detect: shippedDetect, Restore: shippedDetect, Drop: true},
		FlowletGap:    10 * unit.Microsecond,
		INT:           true,
		Proximal:      DefaultProximal(),
		DCI:           DCI{ECN: DCIECN{Enabled: true, Pmax: 0.2}},
	}
	settings.HeadroomTerms = HeadroomTerms{
		HeadroomRule:   Cells,
		PortMTU:        9100,
		InterfaceDelay: 819,
		Cell:           144,
		SmallPackets:   0.5,
		PeerResponse:   -1,
	}
	settings.PFC.Lossless[3] = true
	settings.ClassOf[26], settings.ClassOf[48], settings.ClassOf[56] = 3, 6, 7
	for c := range Classes {
		settings.QueueOf[c] = uint8(c)
		settings.Weight[c] = 1
		settings.ECN[c] = WRED{
			Enabled:   c == 3,
			Kmin:      400 * unit.KB,
			Kmax:      1600 * unit.KB,
			Pmax:      0.2,
			ScaleRate: 100 * unit.Gbps,
		}
	}
	settings.Control[6], settings.Control[7] = true, true
	settings.Strict[6], settings.Strict[7] = true, true
	return settings
}

// Transit returns what the switch adds to the way of a frame.
func (s *Switch) Transit() fabric.Transit {
	return fabric.Transit{Pipeline: s.Latency, CutThrough: s.CutThrough}
}

// AlphaAt returns alpha at a port of the given rate.
func (s *Switch) AlphaAt(rate unit.BitRate) float64 {
	alpha := s.Alpha
	for r := 2 * s.AlphaRate; r > 0 && r <= rate; r *= 2 {
		alpha *= 2
	}
	return alpha
}

// DataQueue reports whether a class other than a control class is sent from an egress queue.
func (s *Switch) DataQueue(queue int) bool {
	for c := range Classes {
		if int(s.QueueOf[c]) == queue && !s.Control[c] {
			return true
		}
	}
	return false
}

// XOFFAt returns how much a lossless class of a port other than a DCI port may hold before the port asks for a pause,
// with used bytes of the buffer in use: its reserve and alpha times the free memory. ports are the switch's, and
// maxFrame is the largest frame on the fabric.
func (s *Switch) XOFFAt(port int, ports []fabric.Attachment, maxFrame, used unit.Bytes) unit.Bytes {
	free := s.Buffer - used
	for _, lossless := range s.PFC.Lossless {
		for i := range ports {
			if lossless && s.PFC.Enabled && !ports[i].DCI {
				free -= s.Reserve + s.OfPort(i).HeadroomFor(&ports[i], maxFrame)
			}
		}
	}
	threshold := s.OfPort(port).AlphaAt(ports[port].Rx.Rate) * math.Max(0, float64(free))
	return s.Reserve + unit.Whole[unit.Bytes](threshold)
}
