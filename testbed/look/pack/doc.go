// Package pack puts a run folder and everything needed to repeat its runs into one file, and takes it out of one. The
// file is a zip, so that it can be opened with common tools:
//
//	README.md             what it is, and the command that makes the runs again
//	inputs/SHA256         files that the scenario names, by their digest
//	programs/NAME/...     programs of algorithms that are not rocelab's own, where they are asked for
//	run/...               the run folder, as its manifest lists it
//	pack.json             the SHA-256 of all others, and what they are
//
// The same files give the same bytes: the entries are in the order of their names, pack.json last, all of one date and
// without any data of the host. The comment at the end has the SHA-256 of all before it, so a changed byte anywhere is
// refused; and so are the known tricks of zips: names that are there twice, or lead elsewhere, links, and more than
// mostBytes once unpacked.
//
// A pack that was changed on purpose may be sound. Only its SHA-256, Digest, sent by another way, distinguishes it from
// the original.
package pack
