package sonic

import (
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// MaxLinks bounds a list of links in bytes.
const MaxLinks = 4 << 20

// cable is a line of a list of links.
type cable struct {
	at   document.Position
	ends [2]cableEnd
	// length is 0 if the line does not give one.
	length unit.Length
}

// cableEnd is a node and its port; the port of a host may be "".
type cableEnd struct {
	node, port string
	// device is the switch of that name, nil for a host; of is the port there.
	device *device
	of     *port
}

func (e *cableEnd) String() string { return e.node + " " + e.port }

// parseLinks reads a list of links: in each line node, port, node, port and, if it is known, a length, with commas
// between them. It skips a first line that names the columns, empty lines and lines that begin with #.
func parseLinks(found *document.Problems, file string, text []byte) (list []*cable) {
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		at := document.Position{File: file, Line: number, Column: 1}
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || number == 1 && strings.Contains(strings.ToLower(line), "port,") {
			continue
		}
		fields := strings.Split(line, ",")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		if len(fields) != 4 && len(fields) != 5 {
			found.Add(at, "%q has %s: a link is node, port, node, port and, if it is known, a length, such as "+
				"leaf0,Ethernet0,spine0,Ethernet4,30m", shorten(line), unit.Count(len(fields), "field"))
			continue
		}
		one := &cable{at: at}
		one.ends[0] = cableEnd{node: fields[0], port: fields[1]}
		one.ends[1] = cableEnd{node: fields[2], port: fields[3]}
		if len(fields) == 5 && fields[4] != "" {
			length, err := unit.ParseLength(fields[4])
			if err != nil || length < unit.Metre || length > maxCable || length%unit.Metre != 0 {
				found.Add(at, "%q is not a length of a cable: it must be whole metres such as 30m, up to %v", shorten(fields[4]),
					maxCable)
				continue
			}
			one.length = length
		}
		list = append(list, one)
	}
	return list
}
