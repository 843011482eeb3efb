package wire

// PSNMask covers the 24 bits of a PSN, an MSN and a QP number.
const PSNMask uint32 = 1<<24 - 1

// AddPSN returns the PSN that is n packets after psn, n possibly negative,
// modulo 2^24.
func AddPSN(psn uint32, n int) uint32 { return (psn + uint32(n)) & PSNMask }

// DiffPSN returns a - b as the signed 24-bit number nearest to zero: positive
// if a is ahead of b. Range: -2^23 to 2^23-1 (IBA volume 1, 9.7.1: the halves
// of the PSN space that are valid and duplicate).
func DiffPSN(a, b uint32) int { return int(int32((a-b)<<8) >> 8) }
