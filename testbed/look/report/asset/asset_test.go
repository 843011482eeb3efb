package asset

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

// uPlot equals npm's file of that version, to the byte.
func TestUPlotIsAsItWasPublished(t *testing.T) {
	for _, part := range []struct{ name, text, want string }{
		{"uPlot.iife.min.js", uplotScript, "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f"},
		{"uPlot.min.css", uplotStyle, "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04"},
	} {
		t.Run(part.name, func(t *testing.T) {
			if sum := sha256.Sum256([]byte(part.text)); hex.EncodeToString(sum[:]) != part.want {
				t.Errorf("%s: SHA-256 %x, version %s has %s", part.name, sum, UPlotVersion, part.want)
			}
		})
	}
	if !strings.Contains(uplotScript, "v"+UPlotVersion) {
		t.Errorf("uPlot does not say that it is version %s", UPlotVersion)
	}
}

// The licence asks that its text goes with each copy, and each page is one.
func TestTheScriptCarriesTheLicence(t *testing.T) {
	for _, want := range []string{"The MIT License", "Leon Sorokin", "THE SOFTWARE IS PROVIDED"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(Script, want) {
				t.Errorf("the script lacks %q", want)
			}
		})
	}
}

// An element of a page ends at its end tag only.
func TestNothingEndsItsElement(t *testing.T) {
	if strings.Contains(strings.ToLower(Script), "</script") || strings.Contains(Script, "<!--") {
		t.Error("the script ends its element")
	}
	if strings.Contains(strings.ToLower(Style), "</style") {
		t.Error("the style ends its element")
	}
}

// A page never requests anything.
func TestNothingIsFetched(t *testing.T) {
	for _, word := range []string{"fetch(", "XMLHttpRequest", "WebSocket", "import(", "eval(", "@import",
		"url('", "url(\"", "url(h", "url(/"} {
		t.Run(word, func(t *testing.T) {
			if strings.Contains(Script+Style, word) {
				t.Errorf("the page has %q", word)
			}
		})
	}
}
