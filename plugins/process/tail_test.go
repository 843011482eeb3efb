package process

import (
	"fmt"
	"strings"
	"testing"
)

func TestTailKeepsTheLast(t *testing.T) {
	tail, all := NewTail(10), ""
	for i := range 100 {
		text := fmt.Sprint(i, " ")
		all += text
		if n, err := tail.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
		if got, want := string(tail.Bytes()), all[max(0, len(all)-10):]; got != want {
			t.Fatalf("after %d: %q, want %q", i, got, want)
		}
		if len(tail.kept) > 2*10+len(text) {
			t.Fatalf("after %d: it holds %d bytes", i, len(tail.kept))
		}
	}
	if _, err := tail.Write([]byte(strings.Repeat("x", 50) + "end")); err != nil || string(tail.Bytes()) != "xxxxxxxend" {
		t.Errorf("%q", tail.Bytes())
	}
}
