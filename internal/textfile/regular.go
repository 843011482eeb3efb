package textfile

import (
	"fmt"
	"io"
	"io/fs"
)

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
