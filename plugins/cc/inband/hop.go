package inband

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Record is one hop's report of its egress port, in 64 bits, most significant first:
//
//	line rate 3 | time 24 | bytes sent 20 | queue 17
//
// Line rate 0 to 5 means 25, 50, 100, 200, 400 and 800 Gb/s. The time is in ns
// modulo 2^24 (16.8 ms), the bytes sent in units of 128 B x m modulo 2^20, the
// queue in units of 80 B x m, saturating at 2^17-1 units (10.5 MB x m), with m =
// rate / 25 Gb/s. All are rounded down. Bytes sent
// count as the link's time does, preamble and gap included, so that a port that
// never rests shows just its line rate; the queue counts frames.
type Record uint64

const (
	timeBits, sentBits, queueBits = 24, 20, 17

	rateShift = timeBits + sentBits + queueBits
	timeShift = sentBits + queueBits
	sentShift = queueBits

	sentUnit  unit.Bytes = 128
	queueUnit unit.Bytes = 80
)

// slowest is the line rate of code 0; each code doubles it.
const (
	slowest    = 25 * unit.Gbps
	codes      = 6
	allowed    = "25, 50, 100, 200, 400 and 800 Gb/s"
	unstamped  = codes // no code
	maskTime   = 1<<timeBits - 1
	maskSent   = 1<<sentBits - 1
	mostQueued = 1<<queueBits - 1
)

// AllowedRates lists, for messages, the line rates at which a port can stamp.
func AllowedRates() string { return allowed }

// Stampable reports whether a record can express a port's line rate.
func Stampable(rate unit.BitRate) bool { return code(rate) != unstamped }

func code(rate unit.BitRate) uint {
	for c := uint(0); c < codes; c++ {
		if rate == slowest<<c {
			return c
		}
	}
	return unstamped
}

// Stamper makes the records of one port.
type Stamper struct {
	code uint64
	// A byte of the counters is worth 1/sent and 1/queue of their units.
	sent, queue unit.Bytes
}

// NewStamper returns the stamper of a port of a stampable rate; the record of
// another rate means nothing.
func NewStamper(rate unit.BitRate) Stamper {
	c := code(rate)
	return Stamper{uint64(c) << rateShift, sentUnit << c, queueUnit << c}
}

// Stamp returns the record of a port with the given totals of sent and queued bytes, at now.
func (s *Stamper) Stamp(now unit.Time, sent, queue unit.Bytes) Record {
	return Record(s.code | uint64(now/unit.Time(unit.Nanosecond))&maskTime<<timeShift |
		uint64(sent/s.sent)&maskSent<<sentShift | uint64(min(queue/s.queue, mostQueued)))
}

// Rate returns the port's line rate.
func (r Record) Rate() unit.BitRate { return slowest << (r >> rateShift) }

// Queue returns what waited at the port when the packet left it.
func (r Record) Queue() unit.Bytes {
	return unit.Bytes(r&mostQueued) * queueUnit << (r >> rateShift)
}

// Since returns the time and the bytes sent since an earlier record of the same port. They are right if less than 16.8
// ms have passed and less than 134 MB, times the multiplier of the port's line rate, were sent since then.
func (r Record) Since(earlier Record) (unit.Duration, unit.Bytes) {
	dt := (r>>timeShift - earlier>>timeShift) & maskTime
	sent := (r>>sentShift - earlier>>sentShift) & maskSent
	return unit.Duration(dt) * unit.Nanosecond, unit.Bytes(sent) * sentUnit << (r >> rateShift)
}

// MaxHops is the number of records that a stack has room for.
const MaxHops = 5

// Stack has the records that a packet gathers on its way.
type Stack struct {
	// Hops counts the switches that the packet passed, also beyond Max; Max is the number that may write. Range: Max 0
	// to MaxHops.
	Hops, Max uint8
	// Path distinguishes the path from others, also if its links have the same rates: each switch adds its egress
	// link's 16 bits by exclusive or.
	Path uint16
	// Record holds the first Max hops' records in the order of the path.
	Record [MaxHops]Record
}

// Push adds the next hop's record if there is room for it.
func (s *Stack) Push(record Record) {
	if s.Hops < s.Max {
		s.Record[s.Hops] = record
	}
	if s.Hops < ^uint8(0) {
		s.Hops++
	}
}

// Records returns the written records.
func (s *Stack) Records() []Record { return s.Record[:min(s.Hops, s.Max, MaxHops)] }
