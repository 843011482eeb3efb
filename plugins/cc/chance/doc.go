// Package chance is the emulator's source of chance: one independent stream
// for each component that draws, seeded by the run's seed and the component's
// name, so that adding a node never shifts the draws of another.
//
// The generator is xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2018), its
// state filled by SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Both are published formulas of a few integer
// operations, so a stream is the same on every machine and in every process; math/rand does not promise that across
// versions.
package chance
