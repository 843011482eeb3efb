package enter

import (
	"fmt"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// Command replaces this process by a command of the host, found in PATH, that
// runs in the node's network and UTS namespaces. It returns only with why it
// could not; then this process is where it was. A node without a container of
// its own gets a UTS namespace for the command, with the node's name.
func (n Node) Command(argv, env []string) error {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return err
	}
	return Thread(func() error {
		network, err := n.network()
		if err != nil {
			return err
		}
		defer network.Close()
		if n.Pid != 0 {
			process, err := n.process(network)
			if err != nil {
				return err
			}
			defer process.Close()
			if err := uts.setns(process); err != nil {
				return fmt.Errorf("node %s: %w", n.Name, err)
			}
		} else if err := n.named(); err != nil {
			return fmt.Errorf("node %s: %w", n.Name, err)
		}
		if err := unix.Setns(int(network.Fd()), unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("node %s: enter the network namespace: %w", n.Name, err)
		}
		return fmt.Errorf("run %s: %w", path, syscall.Exec(path, argv, env))
	})
}

// named gives this thread a UTS namespace of its own, with the node's name.
func (n Node) named() error {
	if err := unix.Unshare(unix.CLONE_NEWUTS); err != nil {
		return fmt.Errorf("make a UTS namespace: %w", err)
	}
	return unix.Sethostname([]byte(n.Name))
}
