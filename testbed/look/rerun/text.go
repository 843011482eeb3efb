package rerun

import (
	"fmt"
	"strings"
)

// String returns the result of a rerun of a folder in words.
func (c *Comparison) String(folder string) string {
	var text strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	what := fmt.Sprintf("%s of %s", count(c.Files, "file"), count(c.Runs, "run"))
	switch {
	case c.Runs == 0:
		say("%s: nothing could be compared", folder)
	case !c.Same():
		say("%s: not the same", folder)
	case c.otherBuild():
		say("%s: the same, by another build: %s, to the byte", folder, what)
	default:
		say("%s: the same: %s, to the byte", folder, what)
	}
	for _, line := range c.Differences {
		say("  %s", line)
	}
	if len(c.Causes) > 0 {
		say("differing inputs that decide a run:")
	} else if !c.Same() && c.Runs > 0 {
		say("Nothing that decides a run differs: build, models, algorithms, parameters and seeds are the same.")
	}
	for _, line := range c.Causes {
		say("  %s", line)
	}
	if len(c.Skipped) > 0 {
		say("not compared:")
	}
	for _, line := range c.Skipped {
		say("  %s", line)
	}
	if len(c.Pages) > 0 {
		say("made again and the same, too: %s", strings.Join(c.Pages, ", "))
	}
	if len(c.Uncovered) > 0 {
		say("not covered, so trust them no more than who sent them:")
	}
	for _, line := range c.Uncovered {
		say("  %s", line)
	}
	return text.String()
}

// otherBuild reports whether the build differs, and nothing else that decides a run.
func (c *Comparison) otherBuild() bool {
	return len(c.Causes) == 1 && strings.HasPrefix(c.Causes[0], "build: ")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Document is a comparison in the layout for machines.
type Document struct {
	Folder string `json:"folder"`
	// Pack is the SHA-256 of the pack that the folder was in.
	Pack string `json:"pack_sha256,omitempty"`
	// Signer is its signer, by the name in the file of allowed signers, if that was asked for.
	Signer      string   `json:"pack_signer,omitempty"`
	Same        bool     `json:"same"`
	Runs        int      `json:"runs"`
	Files       int      `json:"files"`
	Differences []string `json:"differences"`
	Causes      []string `json:"causes"`
	Skipped     []string `json:"not_compared"`
	Uncovered   []string `json:"not_covered"`
	Pages       []string `json:"pages"`
}

// Document returns the comparison of a folder for machines.
func (c *Comparison) Document(folder string) *Document {
	return &Document{
		Folder:      folder,
		Same:        c.Same(),
		Runs:        c.Runs,
		Files:       c.Files,
		Differences: append([]string{}, c.Differences...),
		Causes:      append([]string{}, c.Causes...),
		Skipped:     append([]string{}, c.Skipped...),
		Uncovered:   append([]string{}, c.Uncovered...),
		Pages:       append([]string{}, c.Pages...),
	}
}
