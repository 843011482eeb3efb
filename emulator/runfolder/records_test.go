package runfolder

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"testing"
)

// Rows equal those of encoding/csv, with and without quotes, wherever the first quote is.
func TestRecordsAreThoseOfCSV(t *testing.T) {
	long := strings.Repeat("x", 2<<20)
	for _, text := range []string{
		"", "\n", "a", "a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\n1,2", "a,,\n,,\n", "a\n\n1\n",
		"a,b\n1,\"x\"\"y,\nz\"\n3,4\n5,6\n", "\"a\",b\n1,2\n", "a,b\n" + long + ",2\n3,4\n",
	} {
		t.Run(fmt.Sprintf("%.50q", text), func(t *testing.T) {
			reference := csv.NewReader(strings.NewReader(text))
			reference.FieldsPerRecord = -1
			want, err := reference.ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			var got [][]string
			for r := newRecords(strings.NewReader(text)); ; {
				cells, err := r.next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%.40q: %v", text, err)
				}
				got = append(got, append([]string(nil), cells...))
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
				t.Errorf("%.40q: %.60q, want %.60q", text, got, want)
			}
		})
	}
}
