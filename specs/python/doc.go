// Package python tests the Python package in the folder python: its own tests, and the cells of
// its notebook.
package python
