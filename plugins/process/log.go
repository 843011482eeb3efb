//go:build linux

package process

import (
	"bytes"
	"os"
	"strings"
	"sync"
)

// tailSize is how much of a plugin's output is kept for messages.
const tailSize = 8 << 10

// log takes what a plugin writes to stdout and stderr: into a file, if there
// is one, and the last of it into memory, to be quoted.
type log struct {
	mu   sync.Mutex
	file *os.File
	tail []byte
}

// openLog returns a log that appends to the file of that name, "" for none.
// Only its owner can read it.
func openLog(name string) (*log, error) {
	if name == "" {
		return &log{}, nil
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	return &log{file: f}, err
}

// Write implements io.Writer. It never fails: a full disk must not stop a
// plugin.
func (l *log) Write(output []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.file.Write(output)
	}
	l.tail = append(l.tail, output...)
	if over := len(l.tail) - tailSize; over > 0 {
		l.tail = append(l.tail[:0], l.tail[over:]...)
	}
	return len(output), nil
}

// quote returns the end of the output: a panic's message where there is one, else the
// last three lines, joined into one.
func (l *log) quote() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var lines, last []string
	for line := range strings.Lines(string(bytes.TrimSpace(l.tail))) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, "panic: ") && !strings.HasPrefix(line, "fatal error: ") {
			continue
		}
		for _, more := range lines[i:] {
			if strings.HasPrefix(more, "goroutine ") || len(last) == 3 {
				break
			}
			last = append(last, more)
		}
		return strings.Join(last, "; ")
	}
	return strings.Join(lines[max(0, len(lines)-3):], "; ")
}

// name is the file's, "" if there is none, or none that others know: a
// descriptor of this process.
func (l *log) name() string {
	if l.file == nil || strings.HasPrefix(l.file.Name(), "/proc/self/fd/") {
		return ""
	}
	return l.file.Name()
}

func (l *log) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
