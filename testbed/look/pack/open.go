package pack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scratch"
	"github.com/rocelab/rocelab/internal/exit"
)

// Opened is a pack that was taken out of its file, into a folder of its own. Close it.
type Opened struct {
	// Digest is the SHA-256 of the pack.
	Digest string
	List   *List
	dir    string
	around *scratch.Folder
}

// hostFile is a file whose errors are the host's, such as of a disk without room.
type hostFile struct{ file *os.File }

func (h hostFile) Write(text []byte) (int, error) {
	n, err := h.file.Write(text)
	if err != nil {
		err = exit.Host(err)
	}
	return n, err
}

func (h hostFile) Close() error {
	if err := h.file.Close(); err != nil {
		return exit.Host(err)
	}
	return nil
}

// Open takes a pack out of the file at a path, into a folder that only the caller may read, and
// holds each of its files to the digests in it. With an error there is nothing left of it.
func Open(ctx context.Context, file string) (_ *Opened, err error) {
	from, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	around, err := scratch.New("pack")
	if err != nil {
		return nil, exit.Host(err)
	}
	dir := around.Path
	defer func() {
		if err != nil {
			err = errors.Join(err, around.Close())
		}
	}()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, exit.Host(err)
	}
	defer root.Close()
	create := func(name string) (io.WriteCloser, error) {
		mode, around := os.FileMode(0o600), os.FileMode(0o700)
		if isProgram(name) {
			mode, around = 0o755, 0o755
		}
		if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), around); err != nil {
			return nil, exit.Host(err)
		}
		file, err := root.OpenFile(filepath.FromSlash(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if err != nil {
			return nil, exit.Host(err)
		}
		return hostFile{file}, nil
	}
	info, err := from.Stat()
	if err != nil {
		return nil, err
	}
	list, digest, err := read(ctx, from, info.Size(), create)
	if err != nil {
		return nil, err
	}
	o := &Opened{Digest: digest, List: list, dir: dir, around: around}
	if err := result.CheckHandedOn(os.DirFS(o.Folder())); err != nil {
		return nil, fmt.Errorf("its run folder: %w", err)
	}
	if err := list.checkParts(os.DirFS(o.Folder())); err != nil {
		return nil, err
	}
	return o, nil
}

// Folder is where the run folder is.
func (o *Opened) Folder() string { return filepath.Join(o.dir, runFolder) }

// Program is where the program of an algorithm is, "" if it is not in the pack.
func (o *Opened) Program(algorithm string) string {
	for _, program := range o.List.Programs {
		if program.Algorithm == algorithm {
			return filepath.Join(o.dir, filepath.FromSlash(program.File))
		}
	}
	return ""
}

// LetStart lets other users start the programs of the pack, and see nothing else of it: under sudo
// they run as who called it.
func (o *Opened) LetStart() error { return os.Chmod(o.dir, 0o711) }

// Close takes the folder away.
func (o *Opened) Close() error { return o.around.Close() }
