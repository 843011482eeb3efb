package page

import (
	"strings"
	"testing"
)

func TestEmptyColumnsAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		rows [][]string
		want string
	}{
		{[][]string{{"a", "b", "c"}, {"1", "", "x"}, {"2", "", ""}}, "a,c\n1,x\n2,\n"},
		{[][]string{{"a", "b"}}, "a,b\n"},
		{nil, ""},
	} {
		var out strings.Builder
		if err := WriteCSV(&out, c.rows); err != nil || out.String() != c.want {
			t.Errorf("%v: %q, %v", c.rows, out.String(), err)
		}
	}
}
