// Package keeper holds a program, so that it ends with this process together with
// all that it has started, however this process ends.
//
// Between this process and the program is a third one, the keeper: this very executable, run once more, which the init
// function of this package takes over. It starts the program and waits for one of two ends: the program's, or the
// closing of its line, a socket whose other end only this process holds. Then it kills all that is left, removes the
// program's folder and ends too. A process that is killed closes its files, so nothing outlives it, from the first
// instruction of the keeper on.
//
// There are two ways to find the remaining processes. If the kernel allows it, the keeper is the first process of a PID
// namespace: as root, or as a user in a user namespace of its own, which has only that user. When it ends the kernel
// kills all others in there. Elsewhere the keeper is a subreaper (PR_SET_CHILD_SUBREAPER): a process that loses its
// parent becomes its child, and it kills its children until it has none; the process that the host knows is then a
// guard, which may be killed without harm. A program that kills both escapes; from a PID namespace there is no escape.
// In a container, in which a program has a user to itself, all processes of that user are killed at once.
//
// The program has no right to gain rights (no_new_privs), reads nothing from this
// process's standard input, and is the leader of a session of its own: Ctrl-C is
// for the host. It ends with its keeper (PR_SET_PDEATHSIG). A keeper that was
// stopped goes on when this process ends, for the same reason.
package keeper
