package picture

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// evil is a name with markup in it.
const evil = "</svg><script>alert(\"1\")</script>&amp;'"

// broken is a name that XML has no letters for.
const broken = "a\x00\x1b\xff\ufffe"

// golden compares a picture, without the style of a file, with testdata/NAME.svg, and holds it
// to what all pictures have.
func golden(t *testing.T, name string, p *Picture) {
	t.Helper()
	proper(t, p)
	file := filepath.Join("testdata", name+".svg")
	if *update {
		if err := os.WriteFile(file, []byte(p.Element()+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Element() + "\n"; got != string(want) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Errorf("%s: is %q at %d; -update writes it anew", file, got[at:min(at+80, len(got))], at)
	}
}

var (
	command = regexp.MustCompile(`([A-Za-z])([^A-Za-z]*)`)
	figure  = regexp.MustCompile(`^-?\d+(\.\d)?$`)
)

// proper holds a picture to what all have: it is XML whose coordinates are in the view box, to
// a tenth; its labels do not overlap; it has a title, a description, a role, and no style
// or script of its own.
func proper(t *testing.T, p *Picture) {
	t.Helper()
	within := func(text string, limit float64) {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil || !figure.MatchString(text) || value < 0 || value > limit {
			t.Errorf("%s: the coordinate %q is no tenth from 0 to %g", p.Title, text, limit)
		}
	}
	titled, described := false, false
	var above []string
	decoder := xml.NewDecoder(strings.NewReader(p.Element()))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", p.Title, err)
		}
		switch token := token.(type) {
		case xml.EndElement:
			above = above[:len(above)-1]
		case xml.CharData:
			if len(above) == 2 && above[1] == "title" {
				titled = string(token) == clean(p.Title)
			}
			if len(above) == 2 && above[1] == "desc" {
				described = string(token) == clean(p.Description)
			}
		case xml.StartElement:
			above = append(above, token.Name.Local)
			switch token.Name.Local {
			case "svg", "title", "desc", "g", "text", "path", "rect", "circle":
			default:
				t.Errorf("%s: an element %s", p.Title, token.Name.Local)
			}
			for _, a := range token.Attr {
				switch a.Name.Local {
				case "x", "cx", "width":
					within(a.Value, p.Width)
				case "y", "cy", "height":
					within(a.Value, p.Height)
				case "d":
					for _, part := range command.FindAllStringSubmatch(a.Value, -1) {
						switch numbers := strings.Fields(part[2]); {
						case strings.Contains("ML", part[1]) && len(numbers) == 2:
							within(numbers[0], p.Width)
							within(numbers[1], p.Height)
						case part[1] == "H" && len(numbers) == 1:
							within(numbers[0], p.Width)
						case part[1] == "V" && len(numbers) == 1:
							within(numbers[0], p.Height)
						case part[1] == "Z" && len(numbers) == 0:
						default:
							t.Errorf("%s: %q in a path", p.Title, part[0])
						}
					}
				case "role", "class", "text-anchor", "viewBox", "xmlns", "r", "tabindex", "stroke-width":
				default:
					if !strings.HasPrefix(a.Name.Local, "data-") {
						t.Errorf("%s: an attribute %s", p.Title, a.Name.Local)
					}
				}
			}
		}
	}
	if !titled || !described {
		t.Errorf("%s: title %v, description %v", p.Title, titled, described)
	}
	for i, b := range p.boxes {
		if b.left < -0.1 || b.right > p.Width+0.1 || b.top < 0 || b.bottom > p.Height {
			t.Errorf("%s: the label %q is outside: %+v of %g x %g", p.Title, b.text, b, p.Width, p.Height)
		}
		for _, other := range p.boxes[:i] {
			if b.left < other.right && other.left < b.right && b.top < other.bottom && other.top < b.bottom {
				t.Errorf("%s: the labels %q and %q overlap", p.Title, b.text, other.text)
			}
		}
	}
}

// Texts are as wide as Liberation Sans has them at 12 pixels.
func TestTextWidth(t *testing.T) {
	for text, want := range map[string]float64{
		"0123456789": 66.7, "slowdown": 52.7, "Kmin {W}": 50.0, "": 0,
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if got := textWidth(text); fmt.Sprintf("%.1f", got) != fmt.Sprintf("%.1f", want) {
				t.Errorf("%q: %.2f, want %.1f", text, got, want)
			}
		})
	}
	for _, digit := range "123456789" {
		if textWidth(string(digit)) != textWidth("0") {
			t.Errorf("%c is not as wide as 0", digit)
		}
	}
	if got := fit("a long name of a variant", 60); got != "a long na..." || textWidth(got) > 60 {
		t.Errorf("%q", got)
	}
}

// A file has its style with it, in colours without variables, and a ground.
func TestFile(t *testing.T) {
	p := Completion{Lines: []Slowdowns{{Key{evil, 0}, []float64{1, 2}, 2}}}.Draw()
	file := p.File()
	if strings.Contains(file, "var(") || !strings.Contains(file, ".hue-0 { color: #0072b2; }") ||
		strings.Count(file, "<style>") != 1 || strings.Count(file, `class="ground"`) != 1 {
		t.Error(file)
	}
	if err := xml.Unmarshal([]byte(file), &struct{}{}); err != nil {
		t.Error(err)
	}
	if strings.Replace(file, Paper, "", 1) != p.Element()+"\n" {
		t.Error("a file is more than the picture and its style")
	}
}

// A name may be anything, and a value may be beyond the ends of an axis.
func TestWhatIsNotAsItShould(t *testing.T) {
	proper(t, Completion{Lines: []Slowdowns{{Key{broken, 0}, []float64{1, 2}, 2}}}.Draw())
	s := scale{10, 1000, 0, 100, true}
	for value, want := range map[float64]float64{
		0: 0, -5: 0, 1: 0, 10: 0, 100: 50, 1000: 100, 1e9: 100, math.Inf(1): 100,
	} {
		t.Run(fmt.Sprintf("value=%v", value), func(t *testing.T) {
			if got := s.at(value); math.Abs(got-want) > 1e-9 {
				t.Errorf("%g: at %g, want %g", value, got, want)
			}
		})
	}
}

// Labels that would touch each other are left out.
func TestAxesLeaveLabelsOut(t *testing.T) {
	f := frame{left: 60, top: 30, right: 460, bottom: 250}
	f.x, f.y = scale{0, 1, f.left, f.right, false}, scale{0, 1, f.bottom, f.top, false}
	c := newCanvas(480, 300, "many", "labels")
	c.axes(f, ticksOf(steps(0, 1, 40), plain), ticksOf(steps(0, 1, 100), plain), "below", "above")
	if n := len(c.boxes); n < 20 || n > 40 {
		t.Errorf("%d labels", n)
	}
	proper(t, c.done())
}

// Ticks are round.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		got  []float64
		want string
	}{
		{steps(0, 1, 5), "[0 0.2 0.4 0.6000000000000001 0.8 1]"},
		{steps(0, 17, 5), "[0 5 10 15]"},
		{steps(13, 99, 4), "[50]"},
		{steps(3, 3, 5), "[3]"},
		{decades(1, 100), "[1 2 5 10 20 50 100]"},
		{decades(0.9, 20000), "[1 10 100 1000 10000]"},
		{decades(1, 2), "[1 1.2000000000000002 1.4000000000000001 1.6 1.8 2]"},
		{decades(1, 1e20), "[1 1000 1e+06 1e+09 1e+12 1e+15 1e+18]"},
		{decades(5, 5), "[5]"},
	} {
		t.Run(fmt.Sprintf("want=%s", c.want), func(t *testing.T) {
			if got := fmt.Sprint(c.got); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// A number to a tenth has no sign without need.
func TestPixels(t *testing.T) {
	for value, want := range map[float64]string{-0.01: "0", 1.25: "1.3", 7: "7", 12.04: "12", 99.96: "100"} {
		t.Run(fmt.Sprintf("value=%v", value), func(t *testing.T) {
			if got := pixels(value); got != want {
				t.Errorf("%g: %s, want %s", value, got, want)
			}
		})
	}
}
