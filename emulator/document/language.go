package document

import (
	"fmt"

	"github.com/rocelab/rocelab/internal/textfile"
)

// Language is the set of rules for one kind of text.
type Language struct {
	// Name is the kind of text as named in messages, such as "scenario".
	Name string
	// Needs names the content that an empty text lacks; Instead extends the advice to write out the value of an anchor.
	Needs, Instead string
	// MaxBytes, MaxDepth and MaxKeys bound a text, how deep its values lie within each other, and the keys of a mapping.
	// MaxValues bounds the values of a text of JSON.
	MaxBytes, MaxDepth, MaxKeys, MaxValues int
}

// Adder is given each problem and its place.
type Adder func(at Position, format string, args ...any)

// text returns the text of a source that is to be parsed.
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
