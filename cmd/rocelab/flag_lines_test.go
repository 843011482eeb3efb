package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// A command's help on its flags fits the page, and none of it is lost.
func TestFlagsFitThePage(t *testing.T) {
	s := newShell(t)
	t.Setenv("COLUMNS", "80")
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		words := strings.Fields(c.CommandPath())[1:]
		s.run(0, append(words, "--help")...)
		_, flags, _ := strings.Cut(s.stdout, "\nFlags:\n")
		for line := range strings.Lines(flags) {
			if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > 80 {
				t.Errorf("%s: %s", c.CommandPath(), line)
			}
		}
		whole := strings.Join(strings.Fields(c.LocalFlags().FlagUsages()), " ")
		if !strings.Contains(strings.Join(strings.Fields(flags), " "), whole) {
			t.Errorf("%s: %s lacks some of %s", c.CommandPath(), flags, whole)
		}
		for _, child := range c.Commands() {
			if child.IsAvailableCommand() && child.Name() != "help" && child.Name() != "completion" {
				walk(child)
			}
		}
	}
	code := 0
	walk(rootCommand(&code))
}
