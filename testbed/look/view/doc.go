// Package view shows run folders in a browser: a server on loopback with a list of the runs in a folder, their report,
// any stretch of their series, and a run's progress while it goes on.
//
// It shows only files below one folder: an address names a run by the identifier that the list gave it, and a file by
// one that the run's manifest lists. Files are opened through an os.Root, so a symbolic link that leaves the folder is
// refused.
//
// Who asks must know the token, 128 bits of chance in the path of every address, and must ask
// the server by its own name: another Host or Origin gets nothing, nor does any method but GET.
// See guard.
package view
