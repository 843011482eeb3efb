package weights

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/rocelab/rocelab/plugins/pidnn/lstm"
)

//go:embed shipped.txt
var shipped string

// Shipped is the name by which Load knows the file that is built in.
const Shipped = "shipped"

// largest is far more than any file has.
const largest = 1 << 20

// Load returns the network of a file, or the built-in one if the path is Shipped.
// Errors name the path, what was found and what is expected. It is called when an
// algorithm is configured, never while it runs.
func Load(path string) (*lstm.Network, Meta, error) {
	if path == Shipped {
		return Decode([]byte(shipped))
	}
	file, err := read(path)
	if err != nil {
		return nil, Meta{}, err
	}
	n, m, err := Decode(file)
	if err != nil {
		return nil, Meta{}, fmt.Errorf("%s %w", path, err)
	}
	return n, m, nil
}

func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s; expected %s or a file that rocelab train pidnn has written", path, Shipped)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	file, err := io.ReadAll(io.LimitReader(f, largest+1))
	if err != nil {
		return nil, err
	}
	if len(file) > largest {
		return nil, fmt.Errorf("%s has more than %d bytes; expected the %d weights of a network", path, largest, lstm.Parameters)
	}
	return file, nil
}
