// Package hostile runs plugins that misbehave in some eighty ways, in Go and in
// Python, and says what must come of each: which exit code, which words, and that
// nothing is left, neither a process nor a file.
//
// A way is a call and a deed: describe-hang hangs when it is asked who it is. The
// programs are in testdata; their file names say the way. A row of the table gives
// what must come out, on mem and on veth alike unless it says otherwise.
//
// A handful runs every day, the whole table with ROCELAB_SLOW=1.
package hostile
