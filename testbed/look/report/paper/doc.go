// Package paper writes the pictures of package picture as PNG and PDF files, for papers and slides.
//
// It reads the picture's own SVG file and knows the elements and the style of the pictures: unknown ones are an error
// and are not left out. The same picture gives the same bytes: there is no date. Text is set in Go Regular, which both
// kinds of files can have; in a PDF file it stays text.
package paper
