"""A flow's stream of chance."""

_MASK = (1 << 64) - 1


class Chance:
    """The stream that Go's plugins/cc/chance makes: xoshiro256** of Blackman and
    Vigna. Chance from elsewhere, such as module random, would make a run
    differ from the next one."""

    def __init__(self, state):
        self._s = list(state)

    def uint64(self):
        """The next 64 bits."""
        s = self._s
        r = (s[1] * 5) & _MASK
        r = (((r << 7) | (r >> 57)) * 9) & _MASK
        t = (s[1] << 17) & _MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = ((s[3] << 45) | (s[3] >> 19)) & _MASK
        return r

    def below(self, n):
        """A number in [0, n), n positive."""
        return (self.uint64() * n) >> 64

    def between(self, lo, hi):
        """A number in [lo, hi], both included."""
        return lo + self.below(hi - lo + 1)
