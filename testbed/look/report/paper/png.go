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

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// zoom is the number of pixels of a PNG file per pixel of a picture: 288 per inch, as papers want.
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
	mask := r.mask(outlines, 0)
	cover(mask, outlines)
	r.paint(mask, with)
}

// stroke fills a box around each piece of a line, half a width longer at both ends, so that corners are whole.
func (r *raster) stroke(lines [][]point, width float64, with ink) {
	half := width / 2
	mask := r.mask(lines, width)
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			a, b := line[i-1], line[i]
			length := math.Hypot(b.x-a.x, b.y-a.y)
			if length == 0 {
				continue
			}
			x, y := (b.x-a.x)/length*half, (b.y-a.y)/length*half
			shape := [][]point{{
				{a.x - x - y, a.y - y + x}, {b.x + x - y, b.y + y + x}, {b.x + x + y, b.y + y - x}, {a.x - x + y, a.y - y - x},
			}}
			part := r.mask(shape, 0)
			cover(part, shape)
			larger(mask, part)
		}
	}
	r.paint(mask, with)
}

// mask is an empty mask of the part of the picture that has shapes, and some room around them.
func (r *raster) mask(shapes [][]point, room float64) *image.Alpha {
	least, most := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, shape := range shapes {
		for _, p := range shape {
			least = point{min(least.x, p.x-room), min(least.y, p.y-room)}
			most = point{max(most.x, p.x+room), max(most.y, p.y+room)}
		}
	}
	if least.x > most.x {
		return image.NewAlpha(image.Rectangle{})
	}
	down := func(v float64) int { return unit.Whole[int](math.Floor(v * zoom)) }
	up := func(v float64) int { return unit.Whole[int](math.Ceil(v * zoom)) }
	return image.NewAlpha(image.Rect(down(least.x), down(least.y), up(most.x), up(most.y)).Intersect(r.Rect))
}

// cover adds shapes, each closed, to a mask.
func cover(mask *image.Alpha, shapes [][]point) {
	z := vector.NewRasterizer(mask.Rect.Dx(), mask.Rect.Dy())
	for _, shape := range shapes {
		for i, p := range shape {
			x, y := float32(p.x*zoom-float64(mask.Rect.Min.X)), float32(p.y*zoom-float64(mask.Rect.Min.Y))
			if i == 0 {
				z.MoveTo(x, y)
			} else {
				z.LineTo(x, y)
			}
		}
		z.ClosePath()
	}
	z.Draw(mask, mask.Rect, image.Opaque, image.Point{})
}

// larger gives a mask the larger values of a part of it: overlapping pieces of a line are not darker than one.
func larger(mask, part *image.Alpha) {
	for y := part.Rect.Min.Y; y < part.Rect.Max.Y; y++ {
		for x := part.Rect.Min.X; x < part.Rect.Max.X; x++ {
			if !(image.Point{X: x, Y: y}).In(mask.Rect) {
				continue
			}
			at := mask.PixOffset(x, y)
			mask.Pix[at] = max(mask.Pix[at], part.Pix[part.PixOffset(x, y)])
		}
	}
}

func (r *raster) paint(mask *image.Alpha, with ink) {
	draw.DrawMask(r, mask.Rect, r.colour(with), image.Point{}, mask, mask.Rect.Min, draw.Over)
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
