package document

import (
	"fmt"

	"github.com/rocelab/rocelab/internal/textfile"
)

// Language is what texts of a kind may be.
type Language struct {
	// Name is what a text is called in messages, such as "scenario".
	Name string
	// Needs is what an empty text lacks; Instead is added to the advice to write out what an anchor stands for.
	Needs, Instead string
	// MaxBytes, MaxDepth and MaxKeys bound a text, how deep its values lie within each other, and the keys of a mapping.
	// MaxValues bounds the values of a text of JSON.
	MaxBytes, MaxDepth, MaxKeys, MaxValues int
}

// Adder is given each problem and its place.
type Adder func(at Position, format string, args ...any)

// text is what there is to parse of a source.
func (l *Language) text(file string, src []byte, add Adder) (text []byte, ok bool) {
	start := Position{file, 1, 1}
	text, err := textfile.UTF8(src)
	if err != nil {
		add(start, "%v", err)
		return nil, false
	}
	if len(text) > l.MaxBytes {
		add(start, "the file has %d bytes: allowed are up to %d", len(text), l.MaxBytes)
		return nil, false
	}
	return text, true
}

// Shorten keeps a value that is quoted in a message readable.
func Shorten(text string) string { return ShortenTo(text, 60) }

// ShortenTo is Shorten to that many characters.
func ShortenTo(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return fmt.Sprint(string(r[:most-3]), "...")
	}
	return text
}
