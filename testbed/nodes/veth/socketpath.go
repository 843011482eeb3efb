package veth

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// longestSocket is the length of the longest path that a Unix socket can be
// bound to: sun_path of unix(7) without the null byte at its end.
const longestSocket = len(unix.RawSockaddrUnix{}.Path) - 1

// checkPaths refuses a testbed whose control sockets would have longer paths
// than the kernel takes.
func checkPaths(s *State) error {
	longest := ""
	for i := range s.Containers {
		for _, path := range s.Containers[i].Sockets {
			if len(path) > len(longest) {
				longest = path
			}
		}
	}
	excess := len(longest) - longestSocket
	if excess <= 0 {
		return nil
	}
	most := len(Root()) - excess
	return fmt.Errorf("the folder of testbeds, %s, has a path of %d B: allowed are %d for testbed %s, as its sockets "+
		"stand in it and the path of a socket has at most %d (unix(7)): set ROCELAB_RUN to a shorter one",
		Root(), len(Root()), most, s.Name, longestSocket)
}
