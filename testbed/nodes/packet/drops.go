package packet

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// Drops counts the frames that an interface dropped since it was made: on their way in, for want of a buffer or a
// listener, and on their way out.
type Drops struct{ In, Out uint64 }

// OpenDrops opens the file with the Drops of the interfaces of the calling thread's network namespace, readable by any
// holder of the file in any namespace. It does not need privileges.
func OpenDrops() (*os.File, error) { return os.Open("/proc/thread-self/net/dev") }

// ReadDrops reads the Drops of an interface from a file of OpenDrops; fs.ErrNotExist if it is not there. It does not
// wait for concurrent changes of interfaces.
func ReadDrops(f *os.File, ifname string) (d Drops, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("read the drops of %s: %w", ifname, err)
		}
	}()
	const most = 64 << 20 // a line has some 200 bytes
	text, err := io.ReadAll(io.NewSectionReader(f, 0, most))
	if err != nil {
		return d, err
	}
	for line := range strings.Lines(string(text)) {
		name, counts, found := strings.Cut(line, ":")
		if !found || strings.TrimSpace(name) != ifname {
			continue
		}
		const in, out, all = 3, 11, 16 // columns of proc_net_dev(5)
		columns := strings.Fields(counts)
		if len(columns) < all {
			return d, fmt.Errorf("%d columns: %q", len(columns), line)
		}
		if d.In, err = strconv.ParseUint(columns[in], 10, 64); err != nil {
			return d, err
		}
		d.Out, err = strconv.ParseUint(columns[out], 10, 64)
		return d, err
	}
	return d, fs.ErrNotExist
}
