package scenario

import "bytes"

// crowded returns the line of a scenario's variants if they are more than any scenario
// may have, 0 if not. It counts them in the bytes, before the text is parsed: a hundred
// thousand take seconds to parse.
func crowded(src []byte) (line int) {
	for rest := src; len(rest) > 0; line++ {
		text, after, _ := bytes.Cut(rest, []byte("\n"))
		value, found := bytes.CutPrefix(text, []byte("variants:"))
		if !found {
			rest = after
			continue
		}
		items := 0
		if value = bytes.TrimSpace(value); bytes.HasPrefix(value, []byte("[")) {
			items = itemsInBrackets(rest)
		} else {
			items = itemsBelow(after)
		}
		if items > maxVariants {
			return line + 1
		}
		return 0
	}
	return 0
}

// itemsBelow counts the items of the list that a text begins with, one a dash.
func itemsBelow(text []byte) (items int) {
	indent := -1
	for line := range bytes.Lines(text) {
		body := bytes.TrimLeft(line, " ")
		switch at := len(line) - len(body); {
		case len(bytes.TrimSpace(body)) == 0 || body[0] == '#':
		case body[0] != '-' && at == 0:
			return items // the next key
		case body[0] == '-' && (indent < 0 || at == indent):
			indent = at
			items++
		}
	}
	return items
}

// itemsInBrackets counts the items of the first list in brackets of a text.
func itemsInBrackets(text []byte) int {
	depth, commas, quote := 0, 0, byte(0)
	for _, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return commas + 1
			}
		case c == ',' && depth == 1:
			commas++
		}
	}
	return commas
}
