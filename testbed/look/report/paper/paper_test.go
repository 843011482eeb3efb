package paper

import (
	"bytes"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

func drawn() *picture.Picture {
	return picture.Completion{Lines: []picture.Slowdowns{
		{Key: picture.Key{Name: "pc4", Hue: 0}, Values: []float64{1, 2, 3}, Flows: 3},
		{Key: picture.Key{Name: "dcqcn µ", Hue: 1}, Values: []float64{2, 4, 9}, Flows: 4},
	}}.Draw()
}

// Each kind of file has its form and the same bytes each time, with no date of today.
func TestFiles(t *testing.T) {
	for _, ending := range Endings {
		t.Run(ending, func(t *testing.T) {
			first, err := File(drawn(), "x"+ending)
			if err != nil {
				t.Fatal(err)
			}
			again, err := File(drawn(), "x"+strings.ToUpper(ending))
			if err != nil || !bytes.Equal(first, again) {
				t.Errorf("%s: %v, or other bytes the second time", ending, err)
			}
			if bytes.Contains(first, []byte(time.Now().UTC().Format("D:200601"))) {
				t.Errorf("%s has a date", ending)
			}
			switch ending {
			case ".png":
				image, err := png.Decode(bytes.NewReader(first))
				if err != nil || image.Bounds().Dx() != 3*480 {
					t.Fatalf("%v: %v", image.Bounds(), err)
				}
				found := map[[3]uint32]bool{}
				for y := range image.Bounds().Dy() {
					for x := range image.Bounds().Dx() {
						r, g, b, a := image.At(x, y).RGBA()
						if a != 0xffff {
							t.Fatalf("the ground shows through at %d, %d", x, y)
						}
						found[[3]uint32{r >> 8, g >> 8, b >> 8}] = true
					}
				}
				for _, colour := range [][3]uint32{{255, 255, 255}, {0, 0x72, 0xb2}, {0xd5, 0x5e, 0}, {0x22, 0x22, 0x22}} {
					if !found[colour] {
						t.Errorf("no pixel has the colour %x", colour)
					}
				}
			case ".pdf":
				if !bytes.HasPrefix(first, []byte("%PDF-1.")) || !bytes.Contains(first, []byte("/MediaBox [0 0 360.00 ")) {
					t.Errorf("%.300s", first)
				}
			}
		})
	}
	for name, want := range map[string]string{
		"x":     "x has no ending: allowed are .svg, .png, .pdf",
		"x.jpg": "no picture ends in .jpg",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := File(drawn(), name); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// What cannot be drawn is an error and is not left out.
func TestUnknownIsAnError(t *testing.T) {
	for _, c := range []struct{ file, says string }{
		{`<svg><ellipse rx="2"/></svg>`, "an element ellipse cannot be drawn"},
		{`<svg><path d="M0 0C1 1"/></svg>`, `parsing "0C1"`},
		{`<svg><path d="L0 0"/></svg>`, "cannot be drawn"},
		{`<svg><path d="M0"/></svg>`, "cannot be drawn"},
		{`<svg><rect x="a"/></svg>`, "x of rect"},
		{`<svg><style>.picture .x { fill: red; }</style><rect class="x"/></svg>`, `fill "red" is not a colour`},
		{`<svg>`, "EOF"},
	} {
		t.Run(c.file, func(t *testing.T) {
			root, err := parse(c.file)
			if err == nil {
				err = root.draw(nothing{}, style{}, rulesOf(root.find("style").Text))
			}
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.file, err)
			}
		})
	}
}

// Dashes and gaps have their lengths, around a corner too.
func TestDashes(t *testing.T) {
	got := dashed([][]point{{{0, 0}, {5, 0}, {5, 5}}}, []float64{4, 2})
	if len(got) != 2 || got[0][1] != (point{4, 0}) || got[1][0] != (point{5, 1}) || got[1][1] != (point{5, 5}) {
		t.Errorf("%v", got)
	}
}

// nothing discards drawings.
type nothing struct{}

func (nothing) fill([][]point, ink)            {}
func (nothing) stroke([][]point, float64, ink) {}
func (nothing) text(point, string, ink)        {}
func (nothing) width(string) float64           { return 0 }
