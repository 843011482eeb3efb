package textfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// Place is the line and the column, from 1, of the byte at an offset in a text.
func Place(text []byte, offset int) (line, column int) {
	before := text[:min(max(offset, 0), len(text))]
	line = bytes.Count(before, []byte("\n")) + 1
	return line, utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
}

// PlaceOfJSON is where encoding/json stopped reading a text with an error: the line and the column of the last byte
// that it read, from 1; 0 and 0 of an error without a place.
func PlaceOfJSON(text []byte, err error) (line, column int) {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return Place(text, int(syntax.Offset)-1)
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return Place(text, int(kind.Offset)-1)
	}
	return 0, 0
}
