// Package daemon is switchd, nicd and wand: processes that host nodes of a fabric
// and exchange their frames over sockets. They are one program, called by these
// names.
//
// A daemon is started with a listening control socket and waits. The testbed
// sends it an Order: which nodes to build, the sockets of their ports, and the
// page of the run. The daemon builds the models, runs its windows as the
// page grants them (package lockstep), and answers with a Result. Then it
// waits for the next order, with nothing kept: each run gets new models, new
// plugin processes, new sockets.
//
// Within a window it reads as many frames from each port as were announced,
// puts them in the order of their link, hands them to the models, and sends what
// those emit. What a model learns it decodes from a frame's bytes; when a
// frame started is in its trailer.
//
// A daemon does not need privileges: its sockets are opened for it. A frame that was announced and does not come, or
// comes twice, ends the run with an error that names the link; one from outside the run is counted as foreign.
package daemon
