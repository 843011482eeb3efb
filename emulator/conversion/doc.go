// Package conversion is what is said of the settings that go from one configuration into another:
// of each key a line, and many like lines as one.
package conversion
