// Package authoring makes the folder that an author of an algorithm begins
// with: a module of its own that builds, tests and runs, outside of rocelab.
//
// There are three: sender reacts to delay at the sender; receiver has the
// receiver tell senders their rate, in an extension of the algorithm's own; in
// Python there is sender alone. What they hold are ordinary algorithms, kept
// small. Making the files is all that the package does; it writes none.
package authoring
