// Package picture draws the static pictures of a report as SVG, which also go into papers.
//
// Its functions are pure: plain data gives a Picture, always the same bytes. No file is
// read and no browser is needed, as the widths of texts are in a table. Coordinates are
// rounded to a tenth of a pixel.
//
// Elements have classes and no style. On a page the style is the page's, whose variables give the colours, light or
// dark; File includes it, in light colours. The colours follow Okabe and Ito; a line has a dash or a marker of its own
// as well, for print in black and white.
package picture
