// Package contract is the table of package cc's fields: how what a controller
// asks for, an event, a decision, a data packet and a receiver's answer are
// called outside Go.
//
// All that carries them follows from the table: the messages of control.proto and
// what package process puts into them, the Python module's Signals, the lines of
// an event log, the scripts of package cctest, and what tests draw at random. A
// new field of package cc is an entry here, and then
//
//	go -C plugins/cc generate ./contract
//
// writes the files that are made from the table. It needs protoc (Debian's protobuf-compiler). Tests fail if an entry
// is missing or a file is stale.
package contract
