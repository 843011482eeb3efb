package report

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/report/asset"
)

// vectors are series and their packed form, which encode.go and decode.js agree on.
func vectors(t *testing.T) (list []struct {
	Values []*int64 `json:"values"`
	Text   string   `json:"text"`
}) {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestVectorsAreEncoded(t *testing.T) {
	for i, v := range vectors(t) {
		values := []int64{}
		for _, p := range v.Values {
			if p == nil {
				values = append(values, gap)
			} else {
				values = append(values, *p)
			}
		}
		if text := encodeValues(values); text != v.Text {
			t.Errorf("vector %d: %q, it has %q", i, text, v.Text)
		}
		if back := decodeValues(t, v.Text); len(values) != len(back) || len(values) > 0 && !reflect.DeepEqual(back, values) {
			t.Errorf("vector %d: %v, it has %v", i, back, values)
		}
	}
}

// decodeValues is decode.js once more, for tests that read a page.
func decodeValues(t *testing.T, text string) (values []int64) {
	t.Helper()
	buffer, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	before := int64(0)
	for len(buffer) > 0 {
		code, n := binary.Uvarint(buffer)
		if n <= 0 {
			t.Fatalf("%q ends within a number", text)
		}
		buffer = buffer[n:]
		if code == 0 {
			values = append(values, gap)
			continue
		}
		code--
		before += int64(code>>1) ^ -int64(code&1)
		values = append(values, before)
	}
	return values
}

// Tier: -short, some 50 ms of node.
func TestTheScriptDecodesTheVectors(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	source, err := asset.File("script/decode.js")
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	program := source + "\nfor (const v of " + string(vectors) + `) {
  const got = JSON.stringify(decodeValues(v.text)), want = JSON.stringify(v.values);
  if (got !== want) { console.log("decoded " + got + ", want " + want); process.exitCode = 1; }
}`
	if out, err := exec.Command(node, "-e", program).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
