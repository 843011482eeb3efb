package weights

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/plugins/pidnn/lstm"
)

// Decode reads a file. Its errors name what was found and what was expected.
func Decode(file []byte) (*lstm.Network, Meta, error) {
	text, err := checked(file)
	if err != nil {
		return nil, Meta{}, err
	}
	network, meta, err := decode(strings.Split(text, "\n"))
	if err != nil {
		return nil, Meta{}, err
	}
	// The text differs from the one that Encode writes if the file has spaces, digits or words of its own: then another
	// program wrote it.
	again, err := Encode(network, meta)
	if err != nil {
		return nil, Meta{}, err
	}
	if !bytes.Equal(again, file) {
		return nil, Meta{}, fmt.Errorf("is not written as weights are: %s", difference(again, file))
	}
	return network, meta, nil
}

// checked returns the text before the last line, without its last newline.
func checked(file []byte) (string, error) {
	if len(file) == 0 {
		return "", fmt.Errorf("is empty; expected %q and %d weights", magic+version, lstm.Parameters)
	}
	first, _, _ := strings.Cut(string(file[:min(len(file), 80)]), "\n")
	if !strings.HasPrefix(first, magic) {
		if strings.HasPrefix(magic, string(file)) {
			return "", fmt.Errorf("is truncated: %d bytes, within its first line", len(file))
		}
		return "", fmt.Errorf("is not a file of weights: expected is %q as its first line", magic+version)
	}
	body := len(file) - lastLength
	if body < 1 || file[body-1] != '\n' || !bytes.HasPrefix(file[body:], []byte(lastPrefix)) {
		return "", fmt.Errorf("is truncated: its %d bytes do not end with a line of %sand %d digits", len(file),
			lastPrefix, 2*sha256.Size)
	}
	said := string(file[body+len(lastPrefix) : len(file)-1])
	if sum := fmt.Sprintf("%x", sha256.Sum256(file[:body])); sum != said {
		return "", fmt.Errorf("is damaged: its sha256 is not the one in its last line")
	}
	return string(file[:body-1]), nil
}

func decode(lines []string) (*lstm.Network, Meta, error) {
	var meta Meta
	if v := strings.TrimPrefix(lines[0], magic); v != version {
		return nil, meta, fmt.Errorf("has another version; expected %s", version)
	}
	words := []string{"network", "command", "seed", "mape", "gains"}
	values := make([]string, len(words))
	for i, word := range words {
		line := ""
		if i+1 < len(lines) {
			line = lines[i+1]
		}
		var ok bool
		if values[i], ok = strings.CutPrefix(line, word+" "); !ok {
			return nil, meta, fmt.Errorf("line %d: expected %s and its value", i+2, word)
		}
		if i == 0 && values[0] != shape() {
			return nil, meta, fmt.Errorf("holds a network of another shape; expected %q", shape())
		}
	}
	var err error
	meta.Command = values[1]
	if meta.Seed, err = strconv.ParseUint(values[2], 10, 64); err != nil {
		return nil, meta, fmt.Errorf("line 4: seed is not a whole number")
	}
	for i, line := range meta.numbers() {
		if err := line.decode(values[3+i]); err != nil {
			return nil, meta, fmt.Errorf("line %d: %w", i+5, err)
		}
	}
	network, err := decodeWeights(lines[metaLines:])
	return network, meta, err
}

func (l *numbers) decode(text string) error {
	fields := strings.Fields(text)
	if len(fields) != len(l.names) {
		return fmt.Errorf("%s has %d numbers; expected %s", l.word, len(fields), strings.Join(l.names, ", "))
	}
	for i, f := range fields {
		v, ok := strings.CutPrefix(f, l.names[i]+"=")
		x, err := strconv.ParseFloat(v, 64)
		if !ok || err != nil {
			return fmt.Errorf("%s: expected %s=number as its number %d", l.word, l.names[i], i+1)
		}
		*l.values[i] = x
	}
	return nil
}

func decodeWeights(lines []string) (*lstm.Network, error) {
	if len(lines) != rows+1 {
		return nil, fmt.Errorf("has %d lines of weights; expected %d", len(lines), rows+1)
	}
	network, at := &lstm.Network{}, 0
	for i, line := range lines {
		fields, want := strings.Fields(line), lstm.Row
		if i == rows {
			want = lstm.Parameters - lstm.Output
		}
		if len(fields) != want {
			return nil, fmt.Errorf("line %d has %d weights; expected %d", metaLines+1+i, len(fields), want)
		}
		for k, f := range fields {
			w, err := strconv.ParseFloat(f, 64)
			if err != nil || w-w != 0 {
				return nil, fmt.Errorf("line %d: weight %d is not a finite number", metaLines+1+i, k+1)
			}
			network.W[at] = w
			at++
		}
	}
	return network, nil
}

// difference names the first place at which two texts differ.
func difference(want, got []byte) string {
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			same := 0
			for same < min(len(w[i]), len(g[i])) && w[i][same] == g[i][same] {
				same++
			}
			return fmt.Sprintf("line %d, column %d", i+1, same+1)
		}
	}
	return fmt.Sprintf("%d lines; expected %d", len(g), len(w))
}
