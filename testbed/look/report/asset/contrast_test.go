package asset

import (
	"math"
	"regexp"
	"strconv"
	"testing"
)

var (
	roots = regexp.MustCompile(`:root \{([^}]*)\}`)
	named = regexp.MustCompile(`--([\w-]+): (#[0-9a-f]{3,6});`)
)

// schemes are the colours of the style by name: light, dark and on paper. A scheme has what
// the light one has, but for what it changes.
func schemes(t *testing.T) map[string]map[string]string {
	t.Helper()
	blocks := roots.FindAllStringSubmatch(ownStyle, -1)
	if len(blocks) != 3 {
		t.Fatalf("the style has %d sets of colours", len(blocks))
	}
	found := map[string]map[string]string{}
	for i, scheme := range []string{"light", "dark", "paper"} {
		found[scheme] = map[string]string{}
		for name, value := range found["light"] {
			found[scheme][name] = value
		}
		for _, pair := range named.FindAllStringSubmatch(blocks[i][1], -1) {
			found[scheme][pair[1]] = pair[2]
		}
	}
	return found
}

// luminance returns the brightness of a colour to the eye, as defined in WCAG 2.2. Range: 0 to 1.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	digits := colour[1:]
	if len(digits) == 3 {
		digits = digits[:1] + digits[:1] + digits[1:2] + digits[1:2] + digits[2:] + digits[2:]
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		value, err := strconv.ParseUint(digits[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatalf("%q: %v", colour, err)
		}
		part := float64(value) / 255
		if part <= 0.04045 {
			sum += weight * part / 12.92
		} else {
			sum += weight * math.Pow((part+0.055)/1.055, 2.4)
		}
	}
	return sum
}

// contrast is the ratio of two colours. Range: 1 to 21.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// Text is readable in all schemes with low vision: its contrast is 4.5 at least, and that of essential graphics 3 (WCAG
// 2.2, 1.4.3 and 1.4.11).
func TestContrast(t *testing.T) {
	if got := contrast(t, "#fff", "#000000"); math.Abs(got-21) > 1e-9 {
		t.Fatalf("white on black has %v", got)
	}
	if got := contrast(t, "#777777", "#ffffff"); math.Abs(got-4.478) > 0.001 {
		t.Fatalf("grey on white has %v", got)
	}
	for scheme, colours := range schemes(t) {
		for _, ground := range []string{"ground", "raised"} {
			t.Run(ground, func(t *testing.T) {
				for name, least := range map[string]float64{
					"text": 4.5, "soft": 4.5, "good": 4.5, "warn": 4.5, "bad": 4.5, "level": 3, "hue-0": 3, "hue-1": 3,
					"hue-2": 3,
				} {
					if colours[name] == "" || colours[ground] == "" {
						t.Fatalf("%s has no %s or %s", scheme, name, ground)
					}
					if got := contrast(t, colours[name], colours[ground]); got < least {
						t.Errorf("%s: %s on %s has %.2f, below %v", scheme, name, ground, got, least)
					}
				}
			})
		}
	}
}
