// Package hostile runs plugins that misbehave in some eighty ways, in Go and in Python, and checks the outcome of each:
// the exit code, the words, and that nothing is left, neither a process nor a file.
//
// A way is a call and a deed: describe-hang hangs when it is asked for its description. The programs are in testdata;
// their file names are the ways. A row of the table gives the expected outcome, on mem and on veth alike unless noted
// otherwise.
//
// A handful runs every day, the whole table with ROCELAB_SLOW=1.
package hostile
