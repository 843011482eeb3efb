package weights

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/plugins/pidnn/lstm"
)

// Meta records how a file was made.
type Meta struct {
	// Command is the command line that made the file, on one line, not empty.
	Command string
	// Seed is the training's.
	Seed uint64
	// TrainMAPE and TestMAPE are the errors of the predictions, as a fraction;
	// 0 if they were not measured.
	TrainMAPE, TestMAPE float64
	// Kp, Ki and Kd are the gains that training ended with; all 0 if they were
	// not tuned.
	Kp, Ki, Kd float64
}

const (
	magic      = "rocelab pidnn weights "
	version    = "1"
	lastPrefix = "sha256 "
	lastLength = len(lastPrefix) + 2*sha256.Size + 1
	metaLines  = 6
	rows       = lstm.Gates * lstm.Hidden
)

func shape() string {
	return fmt.Sprintf("lstm hidden=%d steps=%d parameters=%d", lstm.Hidden, lstm.Steps, lstm.Parameters)
}

// Encode returns the file of a network. It refuses weights that are not finite
// and a command that is not one line.
func Encode(network *lstm.Network, meta Meta) ([]byte, error) {
	if meta.Command == "" || meta.Command != strings.TrimSpace(meta.Command) || strings.ContainsAny(meta.Command, "\r\n") {
		return nil, fmt.Errorf("command: one line without spaces around it is expected")
	}
	var out bytes.Buffer
	out.WriteString(magic + version + "\n")
	fmt.Fprintf(&out, "network %s\ncommand %s\nseed %d\n", shape(), meta.Command, meta.Seed)
	for _, line := range meta.numbers() {
		out.WriteString(line.word)
		for i, v := range line.values {
			if *v-*v != 0 {
				return nil, fmt.Errorf("%s %s is %v: a finite number is expected", line.word, line.names[i], *v)
			}
			out.WriteString(" " + line.names[i] + "=" + strconv.FormatFloat(*v, 'g', -1, 64))
		}
		out.WriteByte('\n')
	}
	for i, w := range network.W {
		if w-w != 0 {
			return nil, fmt.Errorf("weight %d is %v: a finite number is expected", i, w)
		}
		out.WriteString(strconv.FormatFloat(w, 'x', -1, 64))
		if (i+1)%lstm.Row == 0 && i < lstm.Output || i == lstm.Parameters-1 {
			out.WriteByte('\n')
		} else {
			out.WriteByte(' ')
		}
	}
	fmt.Fprintf(&out, "%s%x\n", lastPrefix, sha256.Sum256(out.Bytes()))
	return out.Bytes(), nil
}

// numbers are the lines of Meta that hold names and numbers.
func (m *Meta) numbers() []numbers {
	return []numbers{
		{"mape", []string{"train", "test"}, []*float64{&m.TrainMAPE, &m.TestMAPE}},
		{"gains", []string{"kp", "ki", "kd"}, []*float64{&m.Kp, &m.Ki, &m.Kd}},
	}
}

type numbers struct {
	word   string
	names  []string
	values []*float64
}
