//go:build linux

package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/rocelab/rocelab/testbed/veth"
)

// pluginLogs keeps what the plugins of one run on containers print. They print
// to the logs of their containers, which go with the testbed or hold what was
// printed in other runs, too.
type pluginLogs struct {
	folder string
	files  []containerLog
}

// containerLog is the log of a container that may hold plugins.
type containerLog struct {
	name, path string
	before     int64 // its size before the run
}

// markLogs notes how long the logs are of a testbed before a run whose plugins'
// output goes to folder.
func markLogs(folder string, testbed *veth.State) (logs pluginLogs, err error) {
	logs.folder = folder
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

// keep appends what was printed since to a file for each container that did.
func (l *pluginLogs) keep() (err error) {
	for _, f := range l.files {
		err = errors.Join(err, f.keep(filepath.Join(l.folder, f.name+".log")))
	}
	return err
}

func (l *containerLog) keep(path string) error {
	from, err := os.Open(l.path)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil || info.Size() == l.before {
		return err
	}
	to, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, io.NewSectionReader(from, l.before, info.Size()-l.before))
	return errors.Join(err, to.Close())
}
