//go:build linux && !mem

package process

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// tailSize is the number of bytes of a plugin's output that are kept for messages.
const tailSize = 8 << 10

// log takes a plugin's output on stdout and stderr: into a file and another tail, if there are such, and the end of it
// into memory, to be quoted.
type log struct {
	mu   sync.Mutex
	file *os.File
	// most is the maximum size of the file; full is set once the file has it.
	most unit.Bytes
	full bool
	also *Tail
	tail *Tail
	// came counts what the plugin has written, in bytes.
	came int64
}

// openLog returns a log that appends to the file of that name, "" for none, and to
// also, if that is not nil. Only its owner can read the file, which grows to most at
// most.
func openLog(name string, also *Tail, most unit.Bytes) (*log, error) {
	opened := &log{also: also, tail: NewTail(tailSize), most: most}
	if name == "" {
		return opened, nil
	}
	var err error
	opened.file, err = os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	return opened, err
}

// Write implements io.Writer. It never fails: a full disk must not stop a
// plugin.
func (l *log) Write(output []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.came += int64(len(output))
	l.keep(output)
	if l.also != nil {
		l.also.Write(output)
	}
	return l.tail.Write(output)
}

// length is the size of the plugin's output so far, in bytes.
func (l *log) length() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.came
}

// keep writes to the file what it has room for. Others may write there too.
func (l *log) keep(output []byte) {
	if l.file == nil || l.full {
		return
	}
	info, err := l.file.Stat()
	if err == nil && info.Mode().IsRegular() && info.Size()+int64(len(output)) > int64(l.most) {
		l.full = true
		output = fmt.Appendf(output[:max(0, min(int64(l.most)-info.Size(), int64(len(output))))],
			"\n... the log has grown to %v: the rest was dropped (--plugin-log sets how much is kept)\n", l.most)
	}
	l.file.Write(output)
}

// quote returns the end of the output: a panic's message if there is one, else the last three lines, joined into one.
func (l *log) quote() string {
	var lines, last []string
	for line := range strings.Lines(string(bytes.TrimSpace(l.tail.Bytes()))) {
		if line = excerpt(strings.TrimSpace(line)); line != "" {
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
