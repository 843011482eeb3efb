// Package shipped lists the algorithms that come with rocelab. They are built into it, unless the build tag nobuiltin
// leaves them out: then programs find their algorithms only as plugins (package registry).
//
// They are plugins too: the program rocelab-cc serves them all, one in each process. The
// folders cc-NAME hold a program for each alone, the few lines that an author of
// an algorithm copies.
package shipped
