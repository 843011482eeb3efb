package paper

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// zoom is how many pixels of a PNG file one of a picture becomes: 288 per inch, as papers want.
const zoom = 3

// letters is the height of letters in a picture. Unit: pixels.
const letters = 12

// raster is a picture of pixels.
type raster struct {
	*image.RGBA
	face font.Face
}

// PNG returns a picture as a PNG file.
func PNG(p *picture.Picture) ([]byte, error) {
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: letters * zoom, DPI: 72})
	if err != nil {
		return nil, err
	}
	defer face.Close()
	whole := func(v float64) int { return unit.Whole[int](math.Ceil(v * zoom)) }
	r := &raster{image.NewRGBA(image.Rect(0, 0, whole(p.Width), whole(p.Height))), face}
	if err := paint(p, r); err != nil {
		return nil, err
	}
	var file bytes.Buffer
	err = png.Encode(&file, r)
	return file.Bytes(), err
}

func (r *raster) colour(with ink) image.Image {
	return image.NewUniform(color.NRGBA{with.r, with.g, with.b, uint8(unit.Whole[int](math.Round(255 * with.opacity)))})
}

func (r *raster) fill(outlines [][]point, with ink) {
	size := r.Bounds()
	z := vector.NewRasterizer(size.Dx(), size.Dy())
	for _, line := range outlines {
		for i, p := range line {
			x := float32(min(p.x*zoom, float64(size.Dx())))
			y := float32(min(p.y*zoom, float64(size.Dy())))
			if i == 0 {
				z.MoveTo(x, y)
			} else {
				z.LineTo(x, y)
			}
		}
		z.ClosePath()
	}
	z.Draw(r, size, r.colour(with), image.Point{})
}

// stroke fills a box around each piece of a line, half a width longer at both ends, so that corners are whole.
func (r *raster) stroke(lines [][]point, width float64, with ink) {
	half := width / 2
	mask := image.NewAlpha(r.Bounds())
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			a, b := line[i-1], line[i]
			length := math.Hypot(b.x-a.x, b.y-a.y)
			if length == 0 {
				continue
			}
			x, y := (b.x-a.x)/length*half, (b.y-a.y)/length*half
			r.cover(mask, []point{
				{a.x - x - y, a.y - y + x}, {b.x + x - y, b.y + y + x}, {b.x + x + y, b.y + y - x}, {a.x - x + y, a.y - y - x},
			})
		}
	}
	draw.DrawMask(r, r.Bounds(), r.colour(with), image.Point{}, mask, image.Point{}, draw.Over)
}

// cover adds a shape to a mask; where shapes overlap the mask has the larger value.
func (r *raster) cover(mask *image.Alpha, shape []point) {
	least, most := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, p := range shape {
		least = point{min(least.x, p.x*zoom), min(least.y, p.y*zoom)}
		most = point{max(most.x, p.x*zoom), max(most.y, p.y*zoom)}
	}
	at := image.Rect(unit.Whole[int](math.Floor(least.x)), unit.Whole[int](math.Floor(least.y)),
		unit.Whole[int](math.Ceil(most.x)), unit.Whole[int](math.Ceil(most.y)))
	z := vector.NewRasterizer(at.Dx(), at.Dy())
	for i, p := range shape {
		x, y := float32(p.x*zoom-float64(at.Min.X)), float32(p.y*zoom-float64(at.Min.Y))
		if i == 0 {
			z.MoveTo(x, y)
		} else {
			z.LineTo(x, y)
		}
	}
	z.ClosePath()
	part := image.NewAlpha(image.Rect(0, 0, at.Dx(), at.Dy()))
	z.Draw(part, part.Bounds(), image.Opaque, image.Point{})
	for y := range at.Dy() {
		for x := range at.Dx() {
			place := image.Pt(at.Min.X+x, at.Min.Y+y)
			if value := part.AlphaAt(x, y); place.In(mask.Rect) && value.A > mask.AlphaAt(place.X, place.Y).A {
				mask.SetAlpha(place.X, place.Y, value)
			}
		}
	}
}

func (r *raster) text(at point, text string, with ink) {
	d := font.Drawer{Dst: r, Src: r.colour(with), Face: r.face}
	d.Dot = fixed.Point26_6{
		X: fixed.Int26_6(unit.Whole[int](math.Round(at.x * zoom * 64))),
		Y: fixed.Int26_6(unit.Whole[int](math.Round(at.y * zoom * 64))),
	}
	d.DrawString(text)
}

func (r *raster) width(text string) float64 {
	return float64(font.MeasureString(r.face, text)) / 64 / zoom
}
