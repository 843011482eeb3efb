// Package wan shows that a long-haul path is a wire: it delays by its length and by nothing else, it passes pauses on,
// so that headroom must cover the bytes that it holds, it loses the frames that the scenario asks it to lose and not
// one more, and a transfer over it fills it.
//
// Sources: 5 ns/m is the rule of thumb for fibre, 4.897 ns/m follows from the
// group index of 1.468 of ITU-T G.652 fibre; IEEE 802.1Q annex N (headroom);
// Gilbert, 1960, and Elliott, 1963 (losses in bursts).
package wan
