package scenario

import "strconv"

// textOf returns the text of a whole scenario.
func textOf(root *node) []byte {
	text := ""
	for _, e := range root.Entries {
		text += e.Write(0) + "\n"
	}
	return []byte(text)
}

// quotesMatter reports whether a text means something else without quotes.
func quotesMatter(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil || text == "true" || text == "false"
}
