// Package journal keeps what came in at an edge during a live run, with its model time,
// so that the run can be replayed: the rest follows from the scenario.
//
// # Format
//
// One file for each edge. It begins with the line
//
//	rocelab edge journal 1
//
// with the format's version as the number. Records follow, each a letter, its fields and a checksum of four bytes.
// Numbers are encoding/binary's uvarint unless noted otherwise.
//
//	H  length, that many bytes of JSON: the Header
//	F  taken, less that of the frame before; taken less came; length; that many bytes
//	E  frames, bytes, end, eight bytes each; a byte that is 1 if recording stopped at its limit
//
// H comes first, E last, and nothing comes after it. No frame is taken after the end. Times are in picoseconds, fixed
// numbers and checksums have their least byte first. A checksum is a CRC-32C of the file
// from its first byte to the checksum, other checksums left out: so a record that is
// changed, missing, or in another place shows at that place, and the last one covers all.
package journal
