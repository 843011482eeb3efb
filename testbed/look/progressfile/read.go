package progressfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// What a file may have: it may come from anywhere.
const (
	// maxLine is the length of a line, in bytes, its end included.
	maxLine = 64 << 10
	// maxFile is that of a file. A Writer keeps to a sixteenth of it.
	maxFile = 64 << 20
	// maxQueues bounds Line.Queues.
	maxQueues = 16
	// maxName bounds the names in a line.
	maxName = 1 << 10
)

// Read returns the lines of a file. A last line without an end is left out: it is being written,
// or its writer was killed. The error names the line that cannot be one.
func Read(path string) ([]Line, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines, err := ReadFrom(file)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return lines, err
}

// ReadFrom is Read of an open file.
func ReadFrom(r io.Reader) (lines []Line, err error) {
	limited := &io.LimitedReader{R: r, N: maxFile + 1}
	in := bufio.NewReaderSize(limited, maxLine)
	for {
		text, err := in.ReadSlice('\n')
		switch {
		case limited.N <= 0:
			return lines, fmt.Errorf("longer than %d B", maxFile)
		case errors.Is(err, io.EOF):
			return lines, nil
		case errors.Is(err, bufio.ErrBufferFull):
			return lines, fmt.Errorf("line %d: longer than %d B", len(lines)+1, maxLine)
		case err != nil:
			return lines, err
		}
		line, err := parse(text)
		if err != nil {
			return lines, fmt.Errorf("line %d: %w", len(lines)+1, err)
		}
		lines = append(lines, line)
	}
}

// parse reads one line. Fields that it does not know are passed over: a newer program may have
// more.
func parse(text []byte) (line Line, err error) {
	if len(text) > maxLine {
		return Line{}, fmt.Errorf("longer than %d B", maxLine)
	}
	if err := json.Unmarshal(bytes.TrimSpace(text), &line); err != nil {
		return Line{}, err
	}
	return line, line.check()
}

// check refuses what no Writer writes.
func (l *Line) check() error {
	for _, n := range []int64{
		l.Wall, l.Model, l.Until, l.Limit, l.Left, int64(l.Runs),
		int64(l.Flows), int64(l.Completed), l.SentBytes, l.DeliveredBytes, l.Marks, l.CNPs,
		l.XOFFs, l.Drops, l.QueueBytes,
	} {
		if n < 0 {
			return fmt.Errorf("a count of %d: allowed are 0 and above", n)
		}
	}
	if !(l.Share >= 0 && l.Share <= 1) {
		return fmt.Errorf("a share of %v: allowed are 0 to 1", l.Share)
	}
	if len(l.Queues) > maxQueues {
		return fmt.Errorf("%d queues: allowed are up to %d", len(l.Queues), maxQueues)
	}
	long := max(len(l.Run), len(l.Runner), len(l.Verdict), len(l.Ended), len(l.Scenario), len(l.Variant),
		len(l.Algorithm))
	for _, q := range l.Queues {
		if q.Bytes < 0 {
			return fmt.Errorf("a queue of %d B: allowed are 0 and above", q.Bytes)
		}
		long = max(long, len(q.Port))
	}
	if long > maxName {
		return fmt.Errorf("a name of %d B: allowed are up to %d", long, maxName)
	}
	return nil
}
