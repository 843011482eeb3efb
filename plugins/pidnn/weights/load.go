package weights

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/rocelab/rocelab/plugins/pidnn/lstm"
)

//go:embed shipped.txt
var shipped string

// Shipped is the name by which Load knows the file that is built in.
const Shipped = "shipped"

// largest is far more than any file has.
const largest = 1 << 20

// Load returns the network of a file: the built-in one if the name is Shipped, the
// one whose text name is, or the one with that path. Errors name the path, what was
// found and what is expected. It is called when an algorithm is configured,
// never while it runs.
func Load(name string) (*lstm.Network, Meta, error) {
	switch {
	case name == Shipped:
		return Decode([]byte(shipped))
	case strings.HasPrefix(name, magic):
		// A scenario's block comes without its last newline.
		network, meta, err := Decode([]byte(strings.TrimSuffix(name, "\n") + "\n"))
		if err != nil {
			return nil, Meta{}, fmt.Errorf("the text given %w", err)
		}
		return network, meta, nil
	}
	file, err := read(name)
	if err != nil {
		return nil, Meta{}, err
	}
	network, meta, err := Decode(file)
	if err != nil {
		return nil, Meta{}, fmt.Errorf("%s %w", name, err)
	}
	return network, meta, nil
}

// read reads a file that lies on a disk: it is read again for each variant and each
// daemon, which nothing else can be.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s here; expected %s, a file that rocelab train pidnn has written, or "+
			"the text of one", path, Shipped)
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory; expected a file of weights", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is a pipe or a device; expected a file of weights", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	file, err := io.ReadAll(io.LimitReader(f, largest+1))
	if err != nil {
		return nil, err
	}
	if len(file) > largest {
		return nil, fmt.Errorf("%s has more than %d bytes; expected the %d weights of a network", path,
			largest, lstm.Parameters)
	}
	return file, nil
}
