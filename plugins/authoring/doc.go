// Package authoring makes the folder that an author of an algorithm begins
// with: a separate module that builds, tests and runs, outside of rocelab.
//
// There are three: sender reacts to delay at the sender; receiver lets the receiver send senders their rate, in the
// algorithm's own extension; in Python there is only sender. They hold ordinary algorithms, kept small. The package
// only makes the files; it never writes them.
package authoring
