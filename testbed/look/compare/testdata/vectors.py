"""Vectors for testbed/look/compare, by SciPy: see the head of vectors.json, which this prints.

    /usr/bin/python3 vectors.py > vectors.json      # Debian 12: apt-get install python3-scipy

Mann-Whitney: method="exact" without ties, all permutations of the pooled values with ties, and beyond 60 values
method="asymptotic" with use_continuity=True, which corrects for ties. Medians are numpy.median's. Bootstrap intervals
are percentile intervals of the ratio of two medians; the bounds of each end are those of intervals a little wider and a
little narrower than 95 %, since another generator draws.
"""

import json

import numpy
import scipy
from scipy import stats

random = numpy.random.default_rng(20240501)


def sample(n, kinds=None, shift=0.0):
    """n values: continuous, or of few kinds, so that many are equal."""
    if kinds:
        return [float(v) for v in random.integers(0, kinds, n) + round(shift)]
    return [round(float(v), 6) for v in random.lognormal(1, 0.5, n) + shift]


def distance(x, y, axis):
    """How far U is from its mean."""
    x, y = numpy.moveaxis(x, axis, -1)[..., :, None], numpy.moveaxis(y, axis, -1)[..., None, :]
    u = ((x > y) + 0.5 * (x == y)).sum(axis=(-1, -2))
    return abs(u - x.shape[-2] * y.shape[-1] / 2)


def mannwhitney(name, a, b):
    many, ties = len(a) + len(b) > 60, len(set(a + b)) < len(a + b)
    found = stats.mannwhitneyu(a, b, alternative="two-sided", use_continuity=True,
                               method="asymptotic" if many else "exact")
    p = found.pvalue
    if ties and not many:
        p = stats.permutation_test((a, b), distance, permutation_type="independent", vectorized=True,
                                   n_resamples=numpy.inf, alternative="greater").pvalue
    return {"name": name, "a": a, "b": b, "u": float(found.statistic), "p": float(p)}


def bootstrap(name, a, b):
    def ratio(x, y, axis):
        return numpy.median(y, axis=axis) / numpy.median(x, axis=axis)

    def interval(confidence):
        made = stats.bootstrap((a, b), ratio, vectorized=True, paired=False, confidence_level=confidence,
                               n_resamples=100000, batch=1000, method="percentile",
                               random_state=numpy.random.default_rng(7))
        return made.confidence_interval

    wide, narrow = interval(0.96), interval(0.94)
    return {"name": name, "a": a, "b": b, "low": [float(wide.low), float(narrow.low)],
            "high": [float(narrow.high), float(wide.high)]}


same, large = sample(8), sample(35)
tests = [
    mannwhitney("one each", [1.0], [2.0]),
    mannwhitney("one and many", [2.5], sample(9)),
    mannwhitney("small", sample(5), sample(5)),
    mannwhitney("small, shifted", sample(5), sample(5, shift=2)),
    mannwhitney("small, apart", sample(6), sample(4, shift=50)),
    mannwhitney("unequal sizes", sample(3), sample(17)),
    mannwhitney("equal samples", same, same[::-1]),
    mannwhitney("middle", sample(20), sample(20, shift=0.5)),
    mannwhitney("the last that is counted", sample(30), sample(30, shift=0.4)),
    mannwhitney("small, with ties", sample(5, kinds=3), sample(5, kinds=3)),
    mannwhitney("small, with ties, shifted", sample(6, kinds=4), sample(5, kinds=4, shift=1)),
    mannwhitney("unequal sizes, with ties", sample(2, kinds=3), sample(11, kinds=3)),
    mannwhitney("all but one equal", [1.0, 1.0, 1.0, 2.0], [1.0, 1.0, 1.0]),
    mannwhitney("the first that is approximated", sample(31), sample(30, shift=0.4)),
    mannwhitney("one and sixty", sample(1), sample(60)),
    mannwhitney("sixty and one", sample(60), sample(1, shift=3)),
    mannwhitney("few and many", sample(4), sample(90, shift=1)),
    mannwhitney("large", sample(50), sample(60, shift=0.5)),
    mannwhitney("large, with ties", sample(40, kinds=5), sample(45, kinds=5)),
    mannwhitney("large, with ties, shifted", sample(40, kinds=9), sample(30, kinds=9, shift=1)),
    mannwhitney("large, two kinds", sample(50, kinds=2), sample(50, kinds=2)),
    mannwhitney("large, apart", sample(40), sample(40, shift=50)),
    mannwhitney("large, equal samples", large, large[::-1]),
]
medians = [{"values": v, "median": float(numpy.median(v))} for v in
           ([3.0], [4.0, 1.0], sample(5), sample(6), sample(99), sample(100), sample(7, kinds=3), sample(8, kinds=2),
            [-1.5, 0.0, -3.25, 2.0])]
intervals = [
    bootstrap("twenty", sample(20), sample(20, shift=1)),
    bootstrap("thirty and forty", sample(30), sample(40)),
    bootstrap("unequal sizes", sample(12), sample(60, shift=4)),
    bootstrap("a hundred", sample(100), sample(100, shift=0.2)),
]
made = f"/usr/bin/python3 vectors.py > vectors.json, with SciPy {scipy.__version__} and NumPy {numpy.__version__}"
print(f'{{"made": {json.dumps(made)}')
for name, cases in ("mannwhitney", tests), ("median", medians), ("bootstrap", intervals):
    print(f',"{name}": [\n' + ",\n".join(json.dumps(case) for case in cases) + "\n]")
print("}")
