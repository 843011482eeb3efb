// Package control carries messages and open files between the testbed and its
// daemons, over a Unix stream socket: a length, a number of files, the bytes,
// and then the files, as SCM_RIGHTS (unix(7)). It is out of the way of frames
// and windows: a run uses it at its start and at its end.
package control
