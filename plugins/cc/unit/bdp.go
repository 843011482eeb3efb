package unit

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
