package container

import (
	"os"
	"path/filepath"
	"strings"
)

// Mount is a line of proc_pid_mountinfo(5).
type Mount struct {
	// Root is the visible part of the file system; for a namespace its name, as in "net:[4026532281]".
	Root string
	// Point is where.
	Point string
	// Kind is the file system's, as in "nsfs".
	Kind string
}

// Below reports whether the mount is at a folder or in it. The folder's path has no
// symbolic links in it.
func (m *Mount) Below(folder string) bool {
	return m.Point == folder || strings.HasPrefix(m.Point, filepath.Clean(folder)+"/")
}

// Mounts returns the mounts that this process sees, the later upon the earlier ones.
func Mounts() ([]Mount, error) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	return parseMounts(string(text)), err
}

func parseMounts(text string) (list []Mount) {
	for line := range strings.Lines(text) {
		before, after, _ := strings.Cut(line, " - ")
		of, kind := strings.Fields(before), strings.Fields(after)
		if len(of) >= 5 && len(kind) > 0 {
			list = append(list, Mount{unescape.Replace(of[3]), unescape.Replace(of[4]), kind[0]})
		}
	}
	return list
}

// unescape undoes what the kernel does to a path in that file.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
