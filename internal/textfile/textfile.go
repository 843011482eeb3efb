// Package textfile reads the text files that people write and experiments name: scenarios, references, weights, event
// logs. A path may lead to anything, so reading has a bound that is kept before memory is taken, not after, and it can
// be cancelled.
package textfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"github.com/rocelab/rocelab/internal/sudo"
)

// Read returns the content of the file at path, which may be a pipe or a device too. A file of more than most bytes is
// a TooLong; one byte more is read to find out. Once ctx is done Read returns its error, even if the path is a pipe
// without a writer; a file on a disk does not block, and is read in any case. Under sudo it is read with the rights of
// the caller of sudo.
func Read(ctx context.Context, path string, most int64) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		ctx = context.WithoutCancel(ctx)
	}
	f, err := Open(ctx, path, most)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return From(ctx, f, path, most)
}

// From is Read for an open file; name is for the error.
func From(ctx context.Context, r io.Reader, name string, most int64) ([]byte, error) {
	return until(ctx, func() ([]byte, error) { return ReadBounded(name, r, most) })
}

// Regular is Read for a file that is read several times, so that it cannot be a pipe or a device. It never blocks.
func Regular(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory; expected a file", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is a pipe or a device; expected a file", path)
	}
	return Read(context.Background(), path, most)
}

// Open opens the file at path to be read piece by piece. Reading more than most bytes
// is an error, a TooLong, and so is reading once ctx is done.
func Open(ctx context.Context, path string, most int64) (io.ReadCloser, error) {
	f, err := until(ctx, func() (*os.File, error) { return open(path) })
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { f.Close() }) // it ends a read of a pipe
	return &bounded{f, path, most, most, stop, ctx}, nil
}

// open opens a file with the rights of the user who asks for it. Under sudo that is the caller of sudo, who sees parts
// of the file in errors: root does not read anything for him that he may not read.
func open(path string) (*os.File, error) {
	caller, err := sudo.Caller()
	switch {
	case err != nil:
		return nil, fmt.Errorf("open %s: who may read it? %w", path, err)
	case caller == nil:
		return os.Open(path)
	}
	f, err := caller.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		err = fmt.Errorf("%w: user %d, who called sudo, may not read it (SUDO_UID)", err, caller.UID)
	}
	return f, err
}

// TooLong is the error of a file beyond its bound.
type TooLong struct {
	Name string
	// Most is the bound in bytes.
	Most int64
}

func (e *TooLong) Error() string {
	return fmt.Sprintf("%s has more than %d bytes: allowed are up to that many", e.Name, e.Most)
}

// bounded is a file with a bound on the bytes that may still be read: left.
type bounded struct {
	file       *os.File
	name       string
	most, left int64
	stop       func() bool
	ctx        context.Context
}

func (b *bounded) Read(to []byte) (int, error) {
	if b.left < 0 {
		return 0, &TooLong{b.name, b.most}
	}
	if int64(len(to)) > b.left+1 {
		to = to[:b.left+1]
	}
	n, err := b.file.Read(to)
	b.left -= int64(n)
	switch {
	case b.left < 0:
		return n - 1, &TooLong{b.name, b.most}
	case err != nil && b.ctx.Err() != nil:
		err = b.ctx.Err()
	}
	return n, err
}

func (b *bounded) Close() error {
	b.stop()
	return b.file.Close()
}

// until returns what do does, or the error of ctx if that is done first; do goes on
// then, and ends with the program.
func until[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := do()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// OpenRegular opens a file in a file system from anywhere: a folder, a pipe or a device is an error, so that the caller
// never waits for a writer.
func OpenRegular(files fs.FS, name string) (fs.File, error) {
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is a folder, a pipe or a device; expected a file", name)
	}
	return files.Open(name)
}

// ReadRegular reads such a file. A file of more than most bytes is a TooLong, without memory for the rest.
func ReadRegular(files fs.FS, name string, most int64) ([]byte, error) {
	file, err := OpenRegular(files, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadBounded(name, file, most)
}

// ReadBounded reads an open file to the end; name is for the error.
func ReadBounded(name string, from io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(from, most+1))
	if err == nil && int64(len(text)) > most {
		err = &TooLong{name, most}
	}
	return text, err
}

// UTF8 returns a text without the byte order mark that some editors put before it, and refuses a text that is not
// UTF-8.
func UTF8(text []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return nil, errors.New("the file is UTF-16: save it as UTF-8")
	case bytes.IndexByte(text, 0) >= 0:
		return nil, fmt.Errorf("line %d has a zero byte, as UTF-16 has: save the file as UTF-8",
			1+bytes.Count(text[:bytes.IndexByte(text, 0)], []byte("\n")))
	case utf8.Valid(text):
		return bytes.TrimPrefix(text, []byte("\ufeff")), nil
	}
	number := 0
	for line := range bytes.Lines(text) {
		if number++; !utf8.Valid(line) {
			break
		}
	}
	return nil, fmt.Errorf("line %d is not UTF-8: save the file as UTF-8", number)
}
