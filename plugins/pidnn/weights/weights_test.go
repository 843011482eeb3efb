package weights

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/pidnn/lstm"
)

func network() *lstm.Network {
	c := chance.New(1, "weights")
	n := &lstm.Network{}
	for i := range n.W {
		n.W[i] = c.Float64() - 0.5
	}
	n.W[3], n.W[4], n.W[5] = math.Copysign(0, -1), 5e-324, -math.MaxFloat64
	return n
}

var meta = Meta{
	Command:   "rocelab train pidnn --seed 7 --out w.txt",
	Seed:      7,
	TrainMAPE: 0.0352,
	TestMAPE:  0.0361,
	Kp:        -0.358,
	Ki:        -0.06,
	Kd:        0.04,
}

func encoded(t *testing.T) []byte {
	t.Helper()
	file, err := Encode(network(), meta)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRoundTrip(t *testing.T) {
	n, m, err := Decode(encoded(t))
	if err != nil {
		t.Fatal(err)
	}
	if m != meta {
		t.Errorf("meta %+v, want %+v", m, meta)
	}
	for i, w := range network().W {
		if math.Float64bits(n.W[i]) != math.Float64bits(w) {
			t.Errorf("weight %d is %v, want %v", i, n.W[i], w)
		}
	}
}

// The file has the lines that doc.go describes.
func TestLines(t *testing.T) {
	lines := strings.Split(string(encoded(t)), "\n")
	if len(lines) != 6+65+2 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, want := range []string{"rocelab pidnn weights 1", "network lstm hidden=16 steps=3 parameters=1169",
		"command rocelab train pidnn --seed 7 --out w.txt",
		"seed 7", "mape train=0.0352 test=0.0361", "gains kp=-0.358 ki=-0.06 kd=0.04"} {
		t.Run(want, func(t *testing.T) {
			if lines[i] != want {
				t.Errorf("line %d is %q, want %q", i+1, lines[i], want)
			}
		})
	}
	if len(strings.Fields(lines[6])) != 18 || len(strings.Fields(lines[70])) != 17 || !strings.HasPrefix(lines[71],
		"sha256 ") {
		t.Errorf("weights: %q, %q, %q", lines[6], lines[70], lines[71])
	}
}

func TestEveryTruncationIsRefused(t *testing.T) {
	file := encoded(t)
	for n := range file {
		if _, _, err := Decode(file[:n]); err == nil || n > 0 && !strings.Contains(err.Error(), "is truncated") {
			t.Fatalf("%d of %d bytes: error %v", n, len(file), err)
		}
	}
}

// Whichever byte is changed, the file is refused.
func TestEveryChangedByteIsRefused(t *testing.T) {
	file := encoded(t)
	for i := 0; i < len(file); i += 1 + i/97 {
		changed := bytes.Clone(file)
		changed[i] ^= 1
		if _, _, err := Decode(changed); err == nil {
			t.Fatalf("byte %d of %d was changed and nothing noticed", i, len(file))
		}
	}
}

// sealed returns the text with a checksum that fits it.
func sealed(text string) []byte {
	return fmt.Appendf(nil, "%ssha256 %x\n", text, sha256.Sum256([]byte(text)))
}

func TestErrors(t *testing.T) {
	whole := string(encoded(t))
	body := whole[:strings.Index(whole, "sha256")]
	change := func(old, new string) []byte {
		if !strings.Contains(body, old) {
			t.Fatalf("no %q to change", old)
		}
		return sealed(strings.Replace(body, old, new, 1))
	}
	rows := strings.Index(body, "-0.06 kd=0.04\n") + len("-0.06 kd=0.04\n")
	for _, c := range []struct {
		name    string
		file    []byte
		message string
	}{
		{"nothing", nil, `is empty; expected "rocelab pidnn weights 1" and 1169 weights`},
		{"another file", []byte("PK\x03\x04 something\nelse"),
			`is not a file of weights: expected is "rocelab pidnn weights 1" as its first line`},
		{"a later version", change("weights 1\n", "weights 2\n"), `has another version; expected 1`},
		{"another network", change("lstm hidden", "gru hidden"),
			`holds a network of another shape; expected "lstm hidden=16 steps=3 parameters=1169"`},
		{"more units", change("hidden=16 steps=3 parameters=1169", "hidden=32 steps=3 parameters=4385"),
			`holds a network of another shape; expected "lstm hidden=16`},
		{"damage", []byte(strings.Replace(whole, "seed 7", "seed 8", 1)),
			"is damaged: its sha256 is not the one in its last line"},
		{"no command", change("command ", "commandment "), `line 3: expected command and its value`},
		{"a bad seed", change("seed 7\n", "seed -7\n"), `line 4: seed is not a whole number`},
		{"one error", change(" test=0.0361", ""), "line 5: mape has 1 numbers; expected train, test"},
		{"a bad gain", change("ki=-0.06", "kx=-0.06"), `line 6: gains: expected ki=number as its number 2`},
		{"an infinite gain", change("ki=-0.06", "ki=Inf"), "gains ki is +Inf"},
		{"a row too few", sealed(body[:rows] + body[rows+strings.Index(body[rows:], "\n")+1:]),
			"has 64 lines of weights; expected 65"},
		{"a weight too few", sealed(body[:rows] + body[rows+strings.Index(body[rows:], " ")+1:]),
			"line 7 has 17 weights; expected 18"},
		{"a weight that is none", sealed(body[:rows] + "x" + body[rows:]), `is not a finite number`},
		{"an infinite weight", sealed(body[:rows] + "Inf" + body[rows+strings.Index(body[rows:], " "):]),
			`line 7: weight 1 is not a finite number`},
		{"another spelling", change("train=0.0352", "train=0.03520"),
			`is not written as weights are: line 5, column 18`},
		{"nothing but the first line", sealed("rocelab pidnn weights 1\n"), `line 2: expected network and its value`},
		{"two spaces", change("command rocelab", "command  rocelab"), "one line without spaces around it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, _, err := Decode(c.file); err == nil || !strings.Contains(err.Error(), c.message) {
				t.Errorf("%s: error %v, want %q", c.name, err, c.message)
			}
		})
	}
}

func TestEncodeErrors(t *testing.T) {
	n := network()
	for _, command := range []string{"", "a\nb", " a"} {
		t.Run(fmt.Sprintf("%q", command), func(t *testing.T) {
			if _, err := Encode(n, Meta{Command: command}); err == nil {
				t.Errorf("command %q was accepted", command)
			}
		})
	}
	if _, err := Encode(n, Meta{Command: "x", TestMAPE: math.NaN()}); err == nil || !strings.Contains(err.Error(),
		"mape test is NaN") {
		t.Errorf("MAPE of NaN: %v", err)
	}
	n.W[17] = math.Inf(-1)
	if _, err := Encode(n, meta); err == nil || !strings.Contains(err.Error(), "weight 17 is -Inf") {
		t.Errorf("an infinite weight: %v", err)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	good, big := filepath.Join(dir, "good.txt"), filepath.Join(dir, "big.txt")
	if err := os.WriteFile(good, encoded(t), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(big, make([]byte, largest+1), 0o644); err != nil {
		t.Fatal(err)
	}
	if n, m, err := Load(good); err != nil || m != meta || n.W[0] != network().W[0] {
		t.Errorf("%v, %+v", err, m)
	}
	for _, text := range []string{string(encoded(t)), strings.TrimSpace(string(encoded(t)))} {
		t.Run(fmt.Sprintf("%.50q", text), func(t *testing.T) {
			if _, m, err := Load(text); err != nil || m != meta {
				t.Errorf("the text itself, %d bytes: %v, %+v", len(text), err, m)
			}
		})
	}
	for path, message := range map[string]string{
		string(encoded(t)[:99]): "the text given is truncated: its 100 bytes",
		filepath.Join(dir, "none.txt"): "there is no file " + filepath.Join(dir, "none.txt") + " here; expected shipped, " +
			"a file that rocelab train pidnn has written, or the text of one",
		big: "has more than 1048576 bytes; expected the 1169 weights of a network",
		dir: "is a directory",
	} {
		t.Run(fmt.Sprintf("%.50q", path), func(t *testing.T) {
			if _, _, err := Load(path); err == nil || !strings.Contains(err.Error(), message) {
				t.Errorf("%s: error %v, want %q", path, err, message)
			}
		})
	}
}

// The shipped weights can be read, and their network answers.
func TestShipped(t *testing.T) {
	n, m, err := Load(Shipped)
	if err != nil {
		t.Fatal(err)
	}
	if out := n.Predict([lstm.Steps]float64{0.1, -0.1, 0.2}); out-out != 0 || math.Abs(out) > 5 {
		t.Errorf("it predicts %v", out)
	}
	t.Logf("%+v", m)
}

// FuzzDecode puts any text in the place of one line of a sound file, under a checksum that fits, or of the whole file:
// a file that can be read is written again as it was. A file has 10 KB, too many for mutations to reach anything, so
// the seeds are single lines.
func FuzzDecode(f *testing.F) {
	sound, err := Encode(&lstm.Network{}, meta)
	if err != nil {
		f.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(sound), "\n"), "\n")
	for _, i := range []int{0, 1, 2, 3, 4, 5, 6, len(lines) - 2} {
		f.Add(uint8(i), lines[i])
	}
	f.Add(uint8(len(lines)), "rocelab pidnn weights 1\nnetwork lstm\n")
	f.Add(uint8(len(lines)), "sha256 "+strings.Repeat("0", 64)+"\n")
	f.Fuzz(func(t *testing.T, line uint8, text string) {
		file := []byte(text)
		if i := int(line); i < len(lines)-1 {
			changed := slices.Clone(lines[:len(lines)-1])
			changed[i] = text
			file = sealed(strings.Join(changed, "\n") + "\n")
		}
		n, m, err := Decode(file)
		if err != nil {
			return
		}
		if again, err := Encode(n, m); err != nil || !bytes.Equal(again, file) {
			t.Fatal("what was read is not what was written")
		}
	})
}
