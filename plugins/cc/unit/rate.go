package unit

// Bytes is a size or a count of bytes.
type Bytes int64

// Decimal multiples, as the field uses them for traffic and buffers.
const (
	KB Bytes = 1000
	MB       = 1000 * KB
	GB       = 1000 * MB
)

// Scale returns b x num / den with a 128-bit product, rounded down.
func (b Bytes) Scale(num, den int64) Bytes { return Bytes(mulDiv(int64(b), num, den)) }

// String prints b in decimal multiples: 1.5MB, 400KB, 64B.
func (b Bytes) String() string {
	abs := b
	if abs < 0 {
		abs = -abs
	}
	switch {
	case abs >= GB:
		return decimal(float64(b)/float64(GB), "GB")
	case abs >= MB:
		return decimal(float64(b)/float64(MB), "MB")
	case abs >= KB:
		return decimal(float64(b)/float64(KB), "KB")
	}
	return decimal(float64(b), "B")
}

// ParseBytes reads a number and a unit: "32MB", "1.5 KiB", "64B". Allowed
// units: B, KB, MB, GB, TB (powers of 1000), KiB, MiB, GiB, TiB (powers of
// 1024); of all but B the B may be left off: 100K, 1Mi. A bare 0 needs no unit.
func ParseBytes(s string) (Bytes, error) {
	v, err := Sizes.parse(s)
	return Bytes(v), err
}

// BitRate is a rate in bits per second. Range: up to 9.2e18, so every port
// rate and every sum of port rates of a fabric fits.
type BitRate int64

// The usual rates.
const (
	BitPerSecond BitRate = 1
	Kbps                 = 1000 * BitPerSecond
	Mbps                 = 1000 * Kbps
	Gbps                 = 1000 * Mbps
	Tbps                 = 1000 * Gbps
)

// psPerByteNumerator is 8 bits x 1e12 ps: serialisation of n bytes at rate r
// is n x psPerByteNumerator / r.
const psPerByteNumerator = 8 * int64(Second)

// SerialTime returns how long b bytes occupy a wire of rate r, rounded up to
// a whole picosecond so that no wire is faster than its rate. r must be
// positive.
func (r BitRate) SerialTime(b Bytes) Duration {
	if b < 1<<20 { // b x 8e12 fits an int64
		return Duration((int64(b)*psPerByteNumerator + int64(r) - 1) / int64(r))
	}
	return Duration(mulDivCeil(int64(b), psPerByteNumerator, int64(r)))
}

// BytesIn returns how many whole bytes a wire of rate r carries in d, rounded
// down: with d a round-trip time, the BDP.
func (r BitRate) BytesIn(d Duration) Bytes {
	return Bytes(mulDiv(int64(d), int64(r), psPerByteNumerator))
}

// RateOf returns the rate that carries b bytes in d, rounded down; 0 if d is
// not positive.
func RateOf(b Bytes, d Duration) BitRate {
	if d <= 0 {
		return 0
	}
	return BitRate(mulDiv(int64(b), psPerByteNumerator, int64(d)))
}

// Gbps returns r in Gb/s, for reports.
func (r BitRate) Gbps() float64 { return float64(r) / float64(Gbps) }

// String prints r in decimal multiples: 100Gbps, 2.5Gbps, 20Mbps.
func (r BitRate) String() string {
	switch {
	case r >= Tbps:
		return decimal(float64(r)/float64(Tbps), "Tbps")
	case r >= Gbps:
		return decimal(float64(r)/float64(Gbps), "Gbps")
	case r >= Mbps:
		return decimal(float64(r)/float64(Mbps), "Mbps")
	case r >= Kbps:
		return decimal(float64(r)/float64(Kbps), "Kbps")
	}
	return decimal(float64(r), "bps")
}

// ParseBitRate reads a number and a unit: "100Gbps", "25 Gb/s", "400G".
// Allowed units: bps, Kbps, Mbps, Gbps, Tbps, the same written Kb/s and so on,
// and K, M, G, T alone. A bare 0 needs no unit.
func ParseBitRate(s string) (BitRate, error) {
	v, err := Rates.parse(s)
	return BitRate(v), err
}

// BDP is a length of a queue in bandwidth-delay products of its port, in millionths:
// what the port's rate carries in a base RTT is 1 000 000.
type BDP int64

// ParseBDP reads a number of bandwidth-delay products: "1.5bdp". A bare 0 needs no unit.
func ParseBDP(s string) (BDP, error) {
	v, err := BDPs.parse(s)
	return BDP(v), err
}

// Bytes returns the bytes of these bandwidth-delay products at a rate and a base RTT, rounded down to a byte.
func (b BDP) Bytes(rate BitRate, rtt Duration) Bytes { return rate.BytesIn(rtt).Scale(int64(b), 1e6) }

// String prints b with its unit: 1.5bdp.
func (b BDP) String() string { return decimal(float64(b)/1e6, "bdp") }
