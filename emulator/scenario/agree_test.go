package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// place is a value within a mapping or a list, and how to put another there.
type place struct {
	key   string
	value any
	put   func(any)
	drop  func()
}

// placesBelow lists the places below a value, in the order of keys.
func placesBelow(value any) (list []place) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			list = append(list, place{
				key:   key,
				value: v[key],
				put:   func(other any) { v[key] = other },
				drop:  func() { delete(v, key) },
			})
			list = append(list, placesBelow(v[key])...)
		}
	case []any:
		for i := range v {
			list = append(list, place{value: v[i], put: func(other any) { v[i] = other }, drop: func() { v[i] = nil }})
			list = append(list, placesBelow(v[i])...)
		}
	}
	return list
}

// strange are values to put anywhere.
var strange = []string{`0`, `1`, `-1`, `1.5`, `7`, `1e20`, `true`, `false`, `null`, `""`, `"0"`, `"20"`, `"20KB"`,
	`"400G"`,
	`"1M"`, `"1.5bdp"`, `"2 BDP"`, `"-1bdp"`,
	`"10us"`, `"5 us"`, `" 5us"`, `"-5us"`, `"+5us"`, `".5us"`, `"5.us"`, `"5Kb"`, `"400gbps"`, `"10km"`, `"1e3B"`,
	`"true"`, `"x"`, `"pc4"`, `"h0"`, `"all"`, `[]`, `{}`, `[3]`, `["h0"]`, `{"name": "pc4"}`}

// changed returns the source with one or two places changed, and a description of the changes.
func changed(t *testing.T, source []byte, chance *rand.Rand) (text []byte, did string) {
	t.Helper()
	v, err := instance(source)
	if err != nil {
		t.Fatal(err)
	}
	root := v.(map[string]any)
	if chance.IntN(4) > 0 {
		delete(root, "variants") // with them it takes longer
	}
	root["algorithm"] = "pc4"
	for range 1 + chance.IntN(2) {
		places := placesBelow(root)
		at, other := places[chance.IntN(len(places))], places[chance.IntN(len(places))]
		switch chance.IntN(4) {
		case 0:
			at.drop()
			did += "drop " + at.key + "; "
		case 1, 2:
			word := strange[chance.IntN(len(strange))]
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(word))
			if err != nil {
				t.Fatal(err)
			}
			at.put(value)
			did += fmt.Sprintf("%s: %s; ", at.key, word)
		case 3:
			copied, _ := json.Marshal(other.value) // for no value may be below itself
			value, _ := jsonschema.UnmarshalJSON(strings.NewReader(string(copied)))
			at.put(value)
			did += fmt.Sprintf("%s: %s; ", at.key, copied)
		}
	}
	text, err = json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return text, did
}

// unseen matches the problems that a schema cannot see: names defined elsewhere, bounds of values with a unit, keys
// that go together, and limits of number.
var unseen = regexp.MustCompile(`means no host|no algorithm "|never ends|unknown node|written twice|lacks (size|load)` +
	`|allowed is \S+ to |allowed are (none|up to|messages)|no link has the name|no path of links|has no link` +
	`|has \d+ links|kmin <= kmax|without a period|without period|needs a (size|period)` +
	`|no run.until|no congestion control|algorithm lacks name|needs at least two|one receiver|an end after the beginning` +
	`|in bdp needs|and one a size|differ: |its only sender|is not lossless|do not divide|has no groups` +
	`|paths is balanced|congestion is costly|no host has the name|lacks interface|write stack` +
	`|exec does not apply|is an edge: name a host`)

// The schema accepts everything that the reader accepts. If the schema accepts a text that the reader refuses, its
// problems are ones that a schema cannot see.
func TestSchemaAgreesWithReader(t *testing.T) {
	schema := compiled(t)
	chance := rand.New(rand.NewPCG(1, 3))
	small := func(o *options) { o.maxFlows, o.maxHosts = 2000, 300 }
	taken, refusedByBoth := 0, 0
	for _, file := range append(shippedScenarios(t), "testdata/edges.yaml") {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(file, "1024") {
			continue // a large fabric takes its time, and has no other keys
		}
		for range 60 {
			text, did := changed(t, source, chance)
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			_, ours := Parse("x.yaml", text, known, small)
			theirs := schema.Validate(value)
			var problems Errors
			switch errors.As(ours, &problems); {
			case ours == nil && theirs == nil:
				taken++
			case ours == nil:
				t.Errorf("%s, %s: the reader takes it, the schema does not: %v", file, did, theirs)
			case theirs == nil:
				for _, p := range problems {
					if !unseen.MatchString(p.Message) {
						t.Errorf("%s, %s: the schema takes it, the reader does not: %v", file, did, p)
					}
				}
			default:
				refusedByBoth++
			}
		}
	}
	if taken < 50 || refusedByBoth < 300 {
		t.Errorf("%d are taken and %d refused by both: too few of either to tell much", taken, refusedByBoth)
	}
}

// A key that all variants replace is right or wrong as the schema has it; what only
// goes together with other keys is for the variants to say.
func TestKeysThatAllVariantsReplace(t *testing.T) {
	schema := compiled(t)
	const rest = "topology: {kind: star}\ntraffic: [{kind: incast, size: 1MB}]\n"
	for base, c := range map[string]struct{ variant, problem string }{
		rest + "algorithm: pc4\nswitch: 7":          {"switch: {buffer: 16MB}", "switch is a single value"},
		rest + "algorithm: pc4\nmtu: {}":            {"mtu: 500B", "mtu is a mapping"},
		rest + "algorithm: pc4\nrun: {until: soon}": {"run: {until: 1ms}", `until: "soon"`},
		rest + "algorithm: [3]":                     {"algorithm: pc4", "algorithm is a list"},
		rest + "algorithm: {nam: pc4}":              {"algorithm: pc4", `unknown key of algorithm "nam"`},
		"algorithm: pc4\n" + rest[:strings.Index(rest, "traffic")]: {"traffic: [{kind: incast, size: 1MB}]",
			"scenario lacks traffic"},
		strings.Replace(rest, ", size: 1MB", "", 1) + "algorithm: pc4": {"traffic: {size: 1MB}", ""},
		rest + "algorithm: pc4\nswitch: {ecn: {kmin: 9MB, kmax: 1KB}}": {"switch: {ecn: {kmin: 1KB}}", ""},
		rest + "algorithm: mine": {"algorithm: pc4", ""},
	} {
		source := fmt.Sprintf("%s\nvariants: [{name: a, %s}]\n", base, c.variant)
		_, err := Parse("x.yaml", []byte(source), known)
		if (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: the reader says %v, want %q", source, err, c.problem)
		}
		value, err := instance([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != (c.problem == "") {
			t.Errorf("%s: the schema says %v, want %q", source, err, c.problem)
		}
	}
}
