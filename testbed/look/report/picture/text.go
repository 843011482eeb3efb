package picture

import "strings"

// fontSize is the size of all text, in pixels.
const fontSize = 12

// widths are the widths of the characters from space to tilde in thousandths of the size, as in Helvetica, Arial and
// Liberation Sans. The digits are alike.
var widths = [...]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space to slash
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
}

// otherWidth is that of any other character: most are narrower.
const otherWidth = 1000

// textWidth returns the width of a text in pixels; too wide rather than too narrow.
func textWidth(text string) float64 {
	sum := 0
	for _, r := range text {
		if at := int(r - ' '); at >= 0 && at < len(widths) {
			sum += widths[at]
		} else {
			sum += otherWidth
		}
	}
	return float64(sum) * fontSize / 1000
}

// widest is the width of the widest of some texts.
func widest(texts []string) (most float64) {
	for _, text := range texts {
		most = max(most, textWidth(text))
	}
	return most
}

// fit cuts a text that is too wide, and marks the cut with dots.
func fit(text string, width float64) string {
	if textWidth(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && textWidth(string(runes)+"...") > width {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimRight(string(runes), " ") + "..."
}
