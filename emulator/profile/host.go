package profile

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Host has a NIC's settings for its host.
type Host struct {
	// Restart is the rule for a QP after an idle time.
	Restart Restart
	// MessageLatency passes between the moment at which a message may be sent and the NIC's work on it; the latencies
	// of several messages of a QP pass at the same time. MessageCost is the work, before the message's first packet and
	// from the first packet of the message before on. Defaults 0.
	MessageLatency, MessageCost unit.Duration
	Intake                      Intake
}

// Restart is the rule for a QP that begins to send again after an idle time. A QP is idle if its messages wait for
// others while all of it is acknowledged.
type Restart struct {
	Rule RestartRule
	// Idle is how long a QP is idle before the rule holds. Default 0: the retransmission timeout in force, as for TCP
	// (RFC 5681, section 4.1).
	Idle unit.Duration
}

// RestartRule is the rule of a Restart.
type RestartRule uint8

// The rules. A switch of NVIDIA's, roce_slow_restart_idle_en of register ROCE_ACCL, turns a slow start
// after an idle time on; it is off in samples of NVIDIA's documentation and of a ConnectX-5. How slow, and
// after how long, is not public: both are rocelab's own.
const (
	// RestartKeep leaves rate and window as the algorithm has them.
	RestartKeep RestartRule = iota
	// RestartLine forgets them: line rate without a window, until the algorithm allows less than it did last.
	RestartLine
	// RestartSlow begins with RestartPackets unacknowledged packets, and one packet more for each that is
	// acknowledged, until the base RTT is full at line rate. What the algorithm allows bounds it all the time.
	RestartSlow
)

// RestartNames are the rules in scenarios.
var RestartNames = []string{"keep", "line", "slow"}

// RestartPackets is the first window of RestartSlow, that of TCP (RFC 6928).
const RestartPackets = 10

// Intake is the rate at which the host of a NIC takes arriving payload, and the buffer in front of it.
type Intake struct {
	// Rate is that of payload. 0, the default, is without bound and without a buffer.
	Rate unit.BitRate
	// Buffer is the number of bytes of frames that may wait. Default 256 KiB: a public model of a ConnectX-5 has
	// 262,016 B there (openfabric-systems/simllm, issue 192).
	Buffer unit.Bytes
	// Pauses has the NIC pause the classes of what arrives once half of the buffer is full, until a quarter
	// is left. What finds it full is dropped in any case.
	Pauses bool
}
