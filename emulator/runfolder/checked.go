package runfolder

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"

	"github.com/rocelab/rocelab/emulator/result"
)

// Checked has the files of a folder that its manifest and its host.json list, each held to its digest while it is read.
type Checked struct {
	files fs.FS
	sums  map[string]string
}

// Checked is the folder's files, held to their digests. The manifest was read already, and is held to its own here.
func (f *Folder) Checked() (*Checked, error) {
	c := &Checked{f.files, map[string]string{}}
	for _, list := range [][]result.FileSum{f.Manifest.Files, f.Host.Files} {
		for _, file := range list {
			c.sums[file.Name] = file.SHA256
		}
	}
	c.sums["manifest.json"] = f.Host.Manifest
	file, err := c.Open("manifest.json")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	_, err = io.Copy(io.Discard, file)
	return c, err
}

// Has reports whether a file is listed.
func (c *Checked) Has(name string) bool { _, listed := c.sums[name]; return listed }

// Open opens a listed file. It must be read to its end, since that is where its digest is compared: a file that is not
// what its run wrote is an error of reading.
func (c *Checked) Open(name string) (io.ReadCloser, error) {
	file, err := c.files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing", name)
	}
	if err != nil {
		return nil, err
	}
	return &checkedFile{File: file, name: name, want: c.sums[name], sum: sha256.New()}, nil
}

// checkedFile is a file whose digest is compared when its end is read.
type checkedFile struct {
	fs.File
	name, want string
	sum        hash.Hash
}

// Read implements io.Reader.
func (c *checkedFile) Read(buffer []byte) (int, error) {
	n, err := c.File.Read(buffer)
	c.sum.Write(buffer[:n])
	if err == io.EOF {
		if got := hex.EncodeToString(c.sum.Sum(nil)); got != c.want {
			return n, fmt.Errorf("%s was changed: its SHA-256 is %s, and was %s", c.name, got, c.want)
		}
	}
	return n, err
}
