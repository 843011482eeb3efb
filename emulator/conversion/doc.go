// Package conversion reports how settings go from one configuration into another: a line for each key, and many similar
// lines as one.
package conversion
