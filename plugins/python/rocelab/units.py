"""Units: times in ps, rates in bit/s, sizes in bytes, all whole."""

PS = 1
NS = 1000 * PS
US = 1000 * NS
MS = 1000 * US
S = 1000 * MS

BPS = 1
KBPS = 1000 * BPS
MBPS = 1000 * KBPS
GBPS = 1000 * MBPS

B = 1
KB = 1000 * B
MB = 1000 * KB


def bytes_in(rate, duration):
    """What a rate carries in a duration, in bytes, rounded down."""
    return rate * duration // (8 * S)


def rate_of(size, duration):
    """The rate that carries a size in a duration, in bit/s, rounded down."""
    return size * 8 * S // duration
