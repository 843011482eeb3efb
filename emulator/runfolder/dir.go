package runfolder

import (
	"io/fs"
	"os"
)

// Dir is the file system below a folder of the disk, given by its path. A link that leads out of the folder is not
// followed. Only open files hold a handle of the host: hundreds of folders may be in use at the same time.
type Dir string

// Open implements fs.FS.
func (d Dir) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, err
	}
	defer root.Close() // the opened file stays open
	return root.FS().Open(name)
}

// Stat implements fs.StatFS.
func (d Dir) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return fs.Stat(root.FS(), name)
}
