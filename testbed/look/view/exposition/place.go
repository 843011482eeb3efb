package exposition

import (
	"io/fs"
	"os"
)

// Place is the files of a run folder at a path of the disk. A link that leads out of the folder
// is not followed.
type Place string

// Open implements fs.FS.
func (p Place) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(p))
	if err != nil {
		return nil, err
	}
	defer root.Close() // a file that was opened stays open
	return root.FS().Open(name)
}

// Stat implements fs.StatFS.
func (p Place) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(p))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return fs.Stat(root.FS(), name)
}
