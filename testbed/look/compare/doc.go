// Package compare decides whether two sets of runs differ. All comparisons of runs use it: compare and diff, the page
// of run folders, the sentence below a run's table, baselines, tuning, sweeps and rows of papers.
//
// [Between] compares two sets of values of one metric, by seed: the medians, their ratio with its bootstrap
// interval, a Mann-Whitney test, and how certain it is that more than chance is behind it. It takes values with the
// decimals of summary.json, so that a run gives the same figures from memory and from its folder:
//
//   - With seeds enough for a Mann-Whitney test to find a difference (four against four), p must be below 0.05 and
//     the interval of the ratio must not have 1 in it: likely. Below 0.01: sure.
//   - With fewer, the gap between the two ranges must be wider than either range: apart.
//   - One seed has no spread. A run is exact, so a difference is one of these two runs, but other seeds may differ
//     by as much: it counts from a tenth on.
//
// [Sentences] put what differs most into words:
//
//	pc4 ends 1.24 times earlier than dcqcn and keeps its longest queue 11.2 times shorter (one seed)
//
// Two variants are put against each other; of more each against the first. A sentence has at most two parts: how
// soon it was over, and what else differs by the largest factor. It has nothing that may be chance, no factor below
// 1.01, and nothing of a variant that is not sound.
package compare
