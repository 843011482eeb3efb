// Package contrast says in a sentence what differs most between the variants of a run:
//
//	pc4 ends 1.24 times earlier than dcqcn and keeps its longest queue 11.2 times shorter (one seed)
//
// Two variants are put against each other; of more each against the first. A sentence has
// at most two parts: how soon it was over, and what else differs by the largest factor.
//
// Nothing is said of a difference that may be chance:
//
//   - With seeds enough for a Mann-Whitney test to find one (four against four), p must be
//     below 0.05 and the bootstrap interval of the ratio must not have 1 in it.
//   - With fewer, the gap between the two ranges must be wider than either range.
//   - One seed has no spread. A run is exact, so a difference is one of these two runs, but
//     other seeds may differ by as much: it is told from a tenth on, with the words "one
//     seed".
//
// A factor below 1.01 is never told, and nothing of a variant that is not sound.
package contrast
