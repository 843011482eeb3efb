package main

import (
	"fmt"
	"strings"
	"testing"
)

const skipping = `{"Action":"output","Package":"p/a","Test":"TestOne","Output":"    a_test.go:3: something else\n"}
{"Action":"output","Package":"p/a","Test":"TestOne","Output":"    a_test.go:4: no tool: apt-get install it\n"}
{"Action":"output","Package":"p/a","Test":"TestOne","Output":"--- SKIP: TestOne (0.00s)\n"}
{"Action":"skip","Package":"p/a","Test":"TestOne"}
{"Action":"output","Package":"p/a","Test":"TestTwo","Output":"    a_test.go:9: it passes\n"}
{"Action":"pass","Package":"p/a","Test":"TestTwo"}
{"Action":"skip","Package":"p/a","Test":"TestThree"}
{"Action":"output","Package":"p/b","Test":"TestB","Output":"  \u001b[38m[SKIPPED]\u001b[0m in [It] - /b.go:46\n"}
{"Action":"output","Package":"p/b","Test":"TestB","Output":"\u001b[38;5;14mS [SKIPPED] [0.001 seconds]\u001b[0m\n"}
{"Action":"output","Package":"p/b","Test":"TestB","Output":"  \u001b[38;5;14m[SKIPPED] takes long\n"}
{"Action":"output","Package":"p/b","Test":"TestB","Output":"  [SKIPPED] in [BeforeEach] - /b.go:46 @ 11/29\n"}
{"Action":"output","Package":"p/b","Test":"TestB","Output":"  [SKIPPED] takes long\n"}
{"Action":"output","Package":"p/b","Test":"TestB","Output":"1 Passed | \u001b[38;5;14m\u001b[1m5 Skipped\u001b[0m\n"}
{"Action":"pass","Package":"p/b","Test":"TestB"}
{"Action":"skip","Package":"p/without-tests"}
`

// Tests and specs that were skipped are counted at the end, by their reasons. Red: without the count of Ginkgo's last
// line.
func TestSkipsAreCounted(t *testing.T) {
	const want = "\nskipped tests: 7\n      3  specs of Ginkgo suites, by their labels or with their suite\n" +
		"      2  takes long\n      1  no reason given\n      1  no tool: apt-get install it\n\nmissed criteria: 0\n"
	for _, verbose := range []bool{false, true} {
		t.Run(fmt.Sprintf("verbose=%v", verbose), func(t *testing.T) {
			var b strings.Builder
			r := &reader{to: &b, verbose: verbose}
			if err := r.read(strings.NewReader(skipping)); err != nil {
				t.Fatal(err)
			}
			if code, err := r.conclude(arguments{}, 0, nil); code != 0 || err != nil || !strings.HasSuffix(b.String(), want) {
				t.Errorf("exit code %d, %v\n%s\nwant at the end\n%s", code, err, b.String(), want)
			}
		})
	}
}
