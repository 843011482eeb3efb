package registry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/plugins/process"
)

// Folders returns the folders in which to look for plugins: those given by
// flags, the folders in $ROCELAB_PLUGINS (separated as in $PATH), and the user's own,
// $XDG_DATA_HOME/rocelab/plugins or ~/.local/share/rocelab/plugins (XDG Base
// Directory Specification). Those that were not given by flags may be absent.
func Folders(flags []string) []string {
	optional := filepath.SplitList(os.Getenv("ROCELAB_PLUGINS"))
	if data := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		optional = append(optional, filepath.Join(data, "rocelab", "plugins"))
	} else if home, err := os.UserHomeDir(); err == nil {
		optional = append(optional, filepath.Join(home, ".local", "share", "rocelab", "plugins"))
	}
	folders := append([]string(nil), flags...)
	for _, f := range optional {
		if _, err := os.Stat(f); f != "" && err == nil {
			folders = append(folders, f)
		}
	}
	return folders
}

// scan asks all programs in the plugin folders who they are, the first time.
func (r *Registry) scan() error {
	r.scanned.once.Do(func() { r.scanned.plugins, r.scanned.err = r.scanFolders() })
	return r.scanned.err
}

// scanFolders returns the plugins of all folders, a folder of two names once. A
// plugin is its path, wherever that leads: links to one program of several
// algorithms are several plugins.
func (r *Registry) scanFolders() ([]plugin, error) {
	var programs []process.Program
	seen := map[string]bool{r.programDir: true}
	for _, folder := range r.config.Folders {
		found, err := executables(folder)
		if err != nil {
			return nil, fmt.Errorf("plugin folder %s: %w", folder, reason(err))
		}
		real, err := filepath.EvalSymlinks(folder)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err != nil || seen[real] {
			continue
		}
		seen[real] = true
		for _, path := range found {
			programs = append(programs, process.Program{Path: path})
		}
	}
	return once(r.probe(programs)), nil
}

// once leaves out plugins that are others by another path: the same algorithm of
// the same file.
func once(plugins []plugin) (list []plugin) {
	type identity struct{ name, file string }
	seen := map[identity]bool{}
	for _, p := range plugins {
		real, err := filepath.EvalSymlinks(p.Program.Path)
		id := identity{p.Name, real}
		if err == nil && p.err == nil && seen[id] {
			continue
		}
		seen[id] = true
		list = append(list, p)
	}
	return list
}

// reason is an error of the file system without the path, which the message
// has already.
func reason(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// executables returns the executable files of a folder, hidden ones left out,
// by absolute path.
func executables(folder string) (paths []string, err error) {
	folder, err = filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if isExecutable(path) && e.Name()[0] != '.' {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// probe asks programs who they are, a few at a time.
func (r *Registry) probe(programs []process.Program) []plugin {
	plugins := make([]plugin, len(programs))
	var wait sync.WaitGroup
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, program := range programs {
		wait.Go(func() {
			defer crash.Guard()()
			room <- struct{}{}
			defer func() { <-room }()
			options := r.config.Process
			options.Log = ""
			d, err := r.config.Describe(program, options)
			plugins[i] = plugin{Entry{d, program}, err}
		})
	}
	wait.Wait()
	return plugins
}
