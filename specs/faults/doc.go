// Package faults shows what a user sees when something breaks under a testbed of
// real containers: a daemon that dies, hangs or never starts, a plugin that
// crashes or answers nonsense, a host without the rights or the room, an
// interruption at the wrong moment. Each ends within seconds, with a message that
// names the culprit and an exit code of its kind, and leaves the machine as it
// was.
//
// The specs run the built programs, as a user would. They need root, and if the host lacks something they skip with the
// message of `rocelab doctor`.
package faults
