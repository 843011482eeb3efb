package campaign

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ReadLines gives each the lines of JSON of all files in a folder, by file name and in their
// order; a folder that is not there has none. A line that was cut off is left out: its
// process was killed as it wrote.
func ReadLines[T any](folder string, each func(T)) error {
	files, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range files {
		file, err := os.Open(filepath.Join(folder, entry.Name()))
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			var line T
			if json.Unmarshal(lines.Bytes(), &line) == nil {
				each(line)
			}
		}
		if err := errors.Join(lines.Err(), file.Close()); err != nil {
			return fmt.Errorf("%s: %w", entry.Name(), err)
		}
	}
	return nil
}
