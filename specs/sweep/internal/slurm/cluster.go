// Package slurm is a small cluster on this machine, for specs: slurmctld and some
// slurmd, each in namespaces of its own, with a munged of theirs. They share this
// machine's files, as nodes share a folder of results. Nothing of the machine's own
// network is touched, and the end of the first process, or of the one that started it,
// ends everything: all processes are in its PID namespace.
//
// It needs root, Debian's slurmctld, slurmd, slurm-client and munge, iproute2, and
// unshare and nsenter of util-linux.
package slurm

import (
	"bufio"
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"text/template"
	"time"
)

//go:embed controller.sh
var controllerScript string

//go:embed node.sh
var nodeScript string

//go:embed slurm.conf
var configuration string

// processors is the number of processors that each node claims to have: two tasks at a time, whatever this machine has.
const processors = 2

// maxArraySize is the cluster's own bound on array indexes.
const maxArraySize = 1001

// Missing names what of the cluster is not installed here, "" for nothing.
func Missing() string {
	var missing []string
	for _, program := range []string{"slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol", "munged",
		"ip", "unshare", "nsenter"} {
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, program)
		}
	}
	return strings.Join(missing, ", ")
}

// Cluster is a controller and its nodes.
type Cluster struct {
	Nodes  []string // n1, n2, ...
	folder string
	first  *exec.Cmd // the first process of the controller's namespaces
	stdin  io.Closer // its end is the cluster's
}

// Start starts a cluster of the given number of nodes, whose files are in the folder, and waits until all are idle. A
// node that does not answer for timeout counts as down.
func Start(ctx context.Context, folder string, nodes int, timeout time.Duration) (*Cluster, error) {
	c := &Cluster{folder: folder}
	for i := range nodes {
		c.Nodes = append(c.Nodes, "n"+strconv.Itoa(i+1))
	}
	if err := c.write(timeout); err != nil {
		return nil, err
	}
	c.first = exec.Command("sh", append([]string{filepath.Join(folder, "controller.sh"), folder}, c.Nodes...)...)
	c.first.Env = append(os.Environ(), "SLURM_CONF="+c.path("slurm.conf"))
	c.first.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID,
	}
	var complaints strings.Builder
	c.first.Stderr = &complaints
	stdin, err := c.first.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := c.first.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.first.Start(); err != nil {
		return nil, err
	}
	c.stdin = stdin
	if line, _ := bufio.NewReader(stdout).ReadString('\n'); line != "up\n" {
		return nil, errors.Join(fmt.Errorf("the controller did not start: %s", complaints.String()), c.Stop())
	}
	if err := c.idle(ctx); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

func (c *Cluster) path(name string) string { return filepath.Join(c.folder, name) }

// write writes the files that the daemons and the scripts read.
func (c *Cluster) write(timeout time.Duration) error {
	hosts := "127.0.0.1 localhost\n10.77.0.1 ctl\n"
	for i, node := range c.Nodes {
		hosts += fmt.Sprintf("10.77.0.%d %s\n", i+2, node)
	}
	var conf strings.Builder
	err := template.Must(template.New("").Parse(configuration)).Execute(&conf, map[string]any{
		"Folder":       c.folder,
		"Timeout":      int(timeout.Seconds()),
		"MaxArraySize": maxArraySize,
		"Range":        strings.Join(c.Nodes, ","),
		"CPUs":         processors,
	})
	if err != nil {
		return err
	}
	key := make([]byte, 128)
	rand.Read(key)
	for name, text := range map[string]string{
		"hosts":         hosts,
		"slurm.conf":    conf.String(),
		"controller.sh": controllerScript,
		"node.sh":       nodeScript,
		"munge.key":     string(key),
	} {
		if err := os.WriteFile(c.path(name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return os.Mkdir(c.path("state"), 0o700)
}

// idle waits until every node takes work.
func (c *Cluster) idle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		out, err := c.Command(ctx, "sinfo", "--noheader", "--Node", "--format=%T").CombinedOutput()
		if err == nil && strings.Count(string(out), "idle\n") == len(c.Nodes) {
			return nil
		}
		select {
		case <-ctx.Done():
			log, _ := os.ReadFile(c.path("slurmctld.log"))
			return fmt.Errorf("the nodes do not come up: %v %s\n%s", err, out, log)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Command is a command on the controller, where users submit.
func (c *Cluster) Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	enter := []string{"--target=" + strconv.Itoa(c.first.Process.Pid), "--net", "--uts", "--mount", "--pid", name}
	command := exec.CommandContext(ctx, "nsenter", append(enter, args...)...)
	command.Env = append(os.Environ(), "SLURM_CONF="+c.path("slurm.conf"))
	return command
}

// On is a command in a node's mounts, such as one that puts another file in the place of one.
func (c *Cluster) On(ctx context.Context, node, name string, args ...string) (*exec.Cmd, error) {
	pid, err := os.ReadFile(c.path(node + ".pid"))
	if err != nil {
		return nil, err
	}
	enter := []string{"--target=" + strings.TrimSpace(string(pid)), "--net", "--uts", "--mount", name}
	return c.Command(ctx, "nsenter", append(enter, args...)...), nil
}

// Cut pulls a node's cable: what runs on it goes on, and the controller knows nothing of it.
func (c *Cluster) Cut(ctx context.Context, node string) error { return c.cable(ctx, node, "down") }

// Join puts a node's cable back.
func (c *Cluster) Join(ctx context.Context, node string) error { return c.cable(ctx, node, "up") }

func (c *Cluster) cable(ctx context.Context, node, state string) error {
	out, err := c.Command(ctx, "ip", "link", "set", node, state).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", node, state, err, out)
	}
	return nil
}

// Stop ends the cluster and everything that runs on it.
func (c *Cluster) Stop() error {
	err := c.stdin.Close()
	c.first.Process.Kill()
	c.first.Wait()
	return err
}
