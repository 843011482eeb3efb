//go:build linux && !mem

package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// pluginLogs keeps the output of the plugins of one run on containers. They print to the logs of their containers,
// which disappear with the testbed or also hold the output of other runs.
type pluginLogs struct {
	to    *pluginFlags
	files []containerLog
}

// containerLog is the log of a container that may hold plugins.
type containerLog struct {
	name, path string
	before     int64 // its size before the run
}

// markLogs notes how long the logs are of a testbed before a run.
func markLogs(to *pluginFlags, testbed *veth.State) (logs pluginLogs, err error) {
	logs.to = to
	for i := range testbed.Containers {
		c := &testbed.Containers[i]
		if c.Kind == "switch" || c.Kind == "wan" {
			continue
		}
		info, problem := os.Stat(c.Log)
		if problem != nil {
			err = errors.Join(err, problem)
			continue
		}
		logs.files = append(logs.files, containerLog{c.Name, c.Log, info.Size()})
	}
	return logs, err
}

// keep takes the output since the last call, and appends it to a file for each container with some, if there is a
// folder for these.
func (l *pluginLogs) keep() (err error) {
	for _, f := range l.files {
		path := ""
		if l.to.logs != "" {
			path = filepath.Join(l.to.logs, f.name+".log")
		}
		err = errors.Join(err, f.keep(path, l.to))
	}
	return err
}

func (l *containerLog) keep(path string, printed *pluginFlags) error {
	from, err := os.Open(l.path)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil || info.Size() == l.before {
		return err
	}
	tail := printed.ofContainer(l.name)
	added := io.NewSectionReader(from, l.before, info.Size()-l.before)
	if path == "" {
		_, err = io.Copy(tail, added)
		return err
	}
	to, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.MultiWriter(to, tail), added)
	return errors.Join(err, to.Close())
}
