package textfile

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// UTF8 returns a text without the byte order mark that some editors put before it, and refuses a text that is not
// UTF-8.
func UTF8(text []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return nil, errors.New("the file is UTF-16: save it as UTF-8")
	case bytes.IndexByte(text, 0) >= 0:
		return nil, fmt.Errorf("line %d has a zero byte, as UTF-16 has: save the file as UTF-8",
			1+bytes.Count(text[:bytes.IndexByte(text, 0)], []byte("\n")))
	case utf8.Valid(text):
		return bytes.TrimPrefix(text, []byte("\ufeff")), nil
	}
	number := 0
	for line := range bytes.Lines(text) {
		if number++; !utf8.Valid(line) {
			break
		}
	}
	return nil, fmt.Errorf("line %d is not UTF-8: save the file as UTF-8", number)
}
