package exposition

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
)

// Target is a file that gives Prometheus the address of an exposition, for its file_sd_configs: the address of a server
// changes with each start, and has a token that configurations should not keep for ever.
type Target struct{ file *os.File }

// NewTarget begins the file; "" is none, and nothing is written. One that is there keeps its owner
// and its rights, for Prometheus may be another user; a new one is for the owner alone, since the
// address has the token.
func NewTarget(path string) (*Target, error) {
	if path == "" {
		return nil, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is a folder, a pipe or a device; expected a file", path)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &Target{file}, nil
}

// targets is an entry of the file.
type targets struct {
	Targets []string          `json:"targets"`
	Labels  map[string]string `json:"labels"`
}

// Say has Prometheus scrape an address, such as http://127.0.0.1:8080/TOKEN/metrics.
func (t *Target) Say(address string) error {
	if t == nil {
		return nil
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return err
	}
	return t.write([]targets{{
		Targets: []string{parsed.Host},
		Labels:  map[string]string{"__scheme__": parsed.Scheme, "__metrics_path__": parsed.EscapedPath()},
	}})
}

// Close has Prometheus scrape nothing any more.
func (t *Target) Close() error {
	if t == nil {
		return nil
	}
	err := t.write([]targets{})
	if closed := t.file.Close(); err == nil {
		err = closed
	}
	return err
}

// write replaces the list in the file.
func (t *Target) write(list []targets) error {
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	if err := t.file.Truncate(0); err != nil {
		return err
	}
	_, err = t.file.WriteAt(append(text, '\n'), 0)
	return err
}
