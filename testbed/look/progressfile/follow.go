package progressfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// followPeriod is the interval between Follow's looks.
const followPeriod = 100 * time.Millisecond

// maxRuns bounds of how many runs Follow knows what it has handed on.
const maxRuns = 1 << 16

// Follow hands the lines of a file to each, the existing ones and then new ones as they come, for each run in the order
// in which they were written and none twice. It returns nil when the file is gone, as it is when the run folder closes;
// the error of ctx when that ends; each's own error; and an error if the file is faulty or missing.
func Follow(ctx context.Context, path string, each func(Line) error) error {
	f := follower{path: path, each: each, known: map[string]reached{}}
	if err := f.open(); err != nil {
		return err
	}
	defer func() { f.file.Close() }()
	ticker := time.NewTicker(followPeriod)
	defer ticker.Stop()
	for {
		if err := f.look(); errors.Is(err, errGone) {
			return nil
		} else if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

// errGone means that the file is gone.
var errGone = errors.New("gone")

// follower is a file that is followed.
type follower struct {
	path string
	each func(Line) error
	file *os.File
	// done is the offset of the first byte that was not looked at; count the lines before it.
	done  int64
	count int
	known map[string]reached
}

// reached is the newest line of a run that was handed on.
type reached struct {
	wall  int64
	ended bool
}

func (f *follower) open() (err error) {
	f.file, err = os.Open(f.path)
	f.done, f.count = 0, 0
	return err
}

// look hands on new lines.
func (f *follower) look() error {
	there, missing := os.Stat(f.path)
	if missing != nil && !errors.Is(missing, fs.ErrNotExist) {
		return missing
	}
	if err := f.rest(); err != nil || missing == nil && f.same(there) {
		return err
	}
	if missing != nil {
		return errGone
	}
	f.file.Close() // it was thinned: another is in its place
	err := f.open()
	if errors.Is(err, fs.ErrNotExist) {
		return errGone
	}
	return err
}

// same reports whether the file at the path is the open one.
func (f *follower) same(there os.FileInfo) bool {
	mine, err := f.file.Stat()
	return err == nil && os.SameFile(mine, there) && mine.Size() >= f.done
}

// rest reads whole lines to the end of the file.
func (f *follower) rest() error {
	in := bufio.NewReaderSize(io.NewSectionReader(f.file, f.done, maxFile), maxLine)
	for {
		text, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF):
			return nil // what has no end yet is read again
		case errors.Is(err, bufio.ErrBufferFull):
			err = fmt.Errorf("longer than %d B", maxLine)
		case err == nil:
			f.done, f.count = f.done+int64(len(text)), f.count+1
			err = f.hand(text)
		}
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", f.path, f.count, err)
		}
	}
}

// hand hands a line on, if it is new.
func (f *follower) hand(text []byte) error {
	line, err := parse(text)
	if err != nil {
		return err
	}
	before, known := f.known[line.Run]
	if known && (before.ended || line.Wall <= before.wall && line.Ended == "") {
		return nil
	}
	if len(f.known) >= maxRuns {
		return fmt.Errorf("of more than %d runs", maxRuns)
	}
	f.known[line.Run] = reached{line.Wall, line.Ended != ""}
	return f.each(line)
}
