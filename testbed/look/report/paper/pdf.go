package paper

import (
	"bytes"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// points is the number of points of a PDF file per pixel of a picture.
const points = 0.75

// sheet is a page of a PDF file that is as large as the picture.
type sheet struct{ *fpdf.Fpdf }

// pdf returns a picture as a PDF file. Its lines are vectors and its text can be searched.
func pdf(p *picture.Picture) ([]byte, error) {
	size := fpdf.SizeType{Wd: p.Width * points, Ht: p.Height * points}
	s := sheet{fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: size, OrientationStr: "P"})}
	s.SetCatalogSort(true)
	s.SetCreationDate(time.Unix(0, 0).UTC())
	s.SetModificationDate(time.Unix(0, 0).UTC())
	s.SetTitle(p.Title, true)
	s.SetSubject(p.Description, true)
	s.SetAutoPageBreak(false, 0)
	s.SetMargins(0, 0, 0)
	s.AddUTF8FontFromBytes("go", "", goregular.TTF)
	s.SetFont("go", "", letters*points)
	s.SetLineCapStyle("square")
	s.AddPageFormat("P", size)
	if err := paint(p, s); err != nil {
		return nil, err
	}
	var file bytes.Buffer
	err := s.Output(&file)
	return file.Bytes(), err
}

func (s sheet) trace(line []point) {
	for i, p := range line {
		if i == 0 {
			s.MoveTo(p.x*points, p.y*points)
		} else {
			s.LineTo(p.x*points, p.y*points)
		}
	}
}

func (s sheet) fill(outlines [][]point, with ink) {
	s.SetAlpha(with.opacity, "Normal")
	s.SetFillColor(int(with.r), int(with.g), int(with.b))
	for _, line := range outlines {
		s.trace(line)
		s.ClosePath()
	}
	s.DrawPath("f")
}

func (s sheet) stroke(lines [][]point, width float64, with ink) {
	s.SetAlpha(with.opacity, "Normal")
	s.SetDrawColor(int(with.r), int(with.g), int(with.b))
	s.SetLineWidth(width * points)
	for _, line := range lines {
		if len(line) > 1 {
			s.trace(line)
			s.DrawPath("D")
		}
	}
}

func (s sheet) text(at point, text string, with ink) {
	s.SetAlpha(with.opacity, "Normal")
	s.SetTextColor(int(with.r), int(with.g), int(with.b))
	s.Text(at.x*points, at.y*points, text)
}

func (s sheet) width(text string) float64 { return s.GetStringWidth(text) / points }
