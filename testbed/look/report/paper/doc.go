// Package paper writes the pictures of package picture as PNG and PDF files, for papers and slides.
//
// It reads the picture's own SVG file, of which it knows the elements and the style that the pictures use: what it does
// not know is an error and is not left out. The same picture gives the same bytes: no date is written. Text is set in
// Go Regular, which both kinds of files can have; in a PDF file it stays text.
package paper
