// Package pack puts a run folder and all that makes its runs again into one file, and takes it out
// of one. The file is a zip, so that everybody can look into it:
//
//	README.md             what it is, and the command that makes the runs again
//	inputs/SHA256         files that the scenario names, by their digest
//	programs/NAME/...     programs of algorithms that are not rocelab's own, where they are asked for
//	run/...               the run folder, as its manifest lists it
//	pack.json             the SHA-256 of all others, and what they are
//
// The same files give the same bytes: the entries are in the order of their names, pack.json last,
// all of one date and without anything of the host. The comment at the end has the SHA-256 of all
// that is before it, so a changed byte, wherever it is, is refused; and so is what zips are known to
// hide: names that are there twice, or lead elsewhere, links, and more than MostBytes once unpacked.
//
// A pack that somebody changed on purpose may be sound. What tells it from the one that was sent is
// its SHA-256, Digest, sent by another way.
package pack
