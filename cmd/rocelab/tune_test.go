package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/many/tune"
)

// Two senders, and a single one.
const (
	congested = "name: two\nalgorithm: dcqcn\ntopology: {kind: star, hosts: 3}\n" +
		"traffic: [{kind: incast, senders: 2, receiver: h2, size: 400KB}]\n"
	idle = "name: one\nalgorithm: dcqcn\ntopology: {kind: star, hosts: 3}\ntraffic: [{from: h0, to: h1, size: 400KB}]\n"
)

// A search recommends, gives its reason, and has the exit code of its result.
func TestTune(t *testing.T) {
	s := newShell(t)
	s.write("two.yaml", congested)
	s.write("one.yaml", idle)
	s.run(0, "tune", "switch.ecn.kmin=5KB..500KB", "two.yaml", "--against", "queueing_p99_us", "--steps", "3",
		"--seeds", "2", "--out", "found")
	for _, words := range []string{"Recommended: switch.ecn.kmin=", "Why: its fct_p99_us is within 5 %", "How sensitive",
		"Held: there", "seeds 101, 102, 103, 104, 105"} {
		s.says(s.stdout, words)
	}
	first := s.stdout
	s.run(0, "tune", "switch.ecn.kmin=5KB..500KB", "two.yaml", "--against", "queueing_p99_us", "--steps", "3",
		"--seeds", "2", "--out", "found", "--jobs", "3")
	again := regexp.MustCompile(`, [0-9]+ of them already`).Split(s.stdout, -1)
	if len(again) != 2 || !strings.HasPrefix(first, again[0]) {
		t.Errorf("a search that was done says\n%s\nat first it said\n%s", s.stdout, first)
	}
	s.run(0, "tune", "switch.ecn.kmin=5KB,500KB", "switch.ecn.kmax=50KB,1MB", "two.yaml", "--seeds", "2", "--holdout",
		"101")
	s.says(s.stdout, "warning: 1 of 4 combinations are impossible and were left out: switch.ecn.kmin=500KB")
	s.says(s.stdout, "The search: 3 candidates")
	s.run(3, "tune", "switch.ecn.kmin=5KB,50KB", "one.yaml")
	s.says(s.stdout, "Nothing is recommended")
	s.write("own.yaml", congested+"switch: {ports: {h2: {ecn: {kmin: 10KB}}}}\n")
	s.run(2, "tune", "ecn", "own.yaml")
	s.says(s.stderr, "port 2 of s0 has its own ecn, which the search for switch.ecn does not change")
	s.run(3, "tune", "ecn", "one.yaml", "--seeds", "1", "--format", "json")
	var record tune.Record
	if err := json.Unmarshal([]byte(s.stdout), &record); err != nil || record.Nothing == "" || record.Recommended != nil {
		t.Errorf("%v: %s", err, s.stdout)
	}
}

// The thresholds of a scenario: with bytes, the ramp, and as SONiC has them. It takes 5 s.
func TestTuneECN(t *testing.T) {
	tier.Everyday(t)
	s := newShell(t)
	s.write("two.yaml", congested)
	flags := []string{"tune", "ecn", "two.yaml", "--seeds", "1", "--holdout", "101", "--progress", "none"}
	s.run(0, flags...)
	for _, words := range []string{"ports of 100Gbps: Kmin", "a BDP is 52.336KB", "take the queue from Kmin to Kmax",
		"the 1.5 BDP rule", "DCQCN paper", "NVIDIA's RoCE default", "did not see, seeds 101:"} {
		s.says(s.stdout, words)
	}
	report := s.stdout
	s.run(0, append(flags, "--sonic")...)
	if said, _, _ := strings.Cut(s.stderr, report); !strings.HasSuffix(s.stderr, report) ||
		!strings.HasPrefix(said, "rocelab: at most ") {
		t.Errorf("with --sonic the report is\n%s\nwant\n%s", s.stderr, report)
	}
	var config map[string]map[string]map[string]string
	if err := json.Unmarshal([]byte(s.stdout), &config); err != nil {
		t.Fatalf("%v: %s", err, s.stdout)
	}
	wred := config["WRED_PROFILE"]["AZURE_LOSSLESS"]
	kmin, err := strconv.ParseInt(wred["green_min_threshold"], 10, 64)
	kmax, err2 := strconv.ParseInt(wred["green_max_threshold"], 10, 64)
	if err != nil || err2 != nil || wred["ecn"] != "ecn_all" || kmin <= 0 || kmax < kmin {
		t.Errorf("SONiC has %v", config)
	}
	s.says(report, fmt.Sprintf("Kmin %v, Kmax %v,", unit.Bytes(kmin), unit.Bytes(kmax)))
	s.says(report, fmt.Sprintf("2 senders at 100Gbps take the queue from Kmin to Kmax in %v\n",
		(100*unit.Gbps).SerialTime(unit.Bytes(kmax-kmin))))
}

// The drawbacks of the thresholds that are found are printed with them. Tier: everyday.
func TestTuneECNWarns(t *testing.T) {
	tier.Everyday(t)
	s := newShell(t)
	// Of 1 MB little is left for two senders: PFC pauses them before the queue is at Kmin.
	s.write("tight.yaml", "name: tight\nalgorithm: dcqcn\ntopology: {kind: star, hosts: 9}\nswitch: {buffer: 1MB}\n"+
		"traffic: [{kind: incast, senders: 8, receiver: h8, size: 2MB}]\n")
	s.run(0, "tune", "ecn", "tight.yaml", "--seeds", "1", "--holdout", "101..101", "--format", "json")
	var record tune.Record
	if err := json.Unmarshal([]byte(s.stdout), &record); err != nil {
		t.Fatal(err)
	}
	if len(record.Warnings) == 0 || !strings.Contains(record.Warnings[0], "are paused by PFC at that queue") ||
		record.Held == nil || !*record.Held || len(record.Facts) == 0 {
		t.Errorf("warnings %q, held %v, facts %q", record.Warnings, record.Held, record.Facts)
	}
	// The features that a chip lacks are printed with the advice too.
	s.write("fast.yaml", strings.NewReplacer("hosts: 3}", "hosts: 3, rate: 800Gbps}\nswitch: {profile: tomahawk3}",
		"400KB", "4MB").Replace(congested))
	s.run(0, "tune", "ecn", "fast.yaml", "--seeds", "1", "--holdout", "101", "--progress", "none")
	s.says(s.stdout, "warning: s0 has a port of 800Gbps, and the fastest of Broadcom Tomahawk 3")
}

// The target of PC4 is found as its paper advises (PC4, IV-C): of those that keep the throughput, the one with the
// least queueing. An empty queue loses throughput, and a long one does not gain any: 64 flows of 1 MB without base
// rate, as in its Fig. 8. Red if pc4 does not heed target_qtime, and if a search takes the best of the first metric.
// Tier: everyday.
func TestTuneTargetOfPC4(t *testing.T) {
	tier.Everyday(t)
	s := newShell(t)
	s.write("fig8.yaml", "name: fig8\nalgorithm: {name: pc4, params: {base_rate: false}}\n"+
		"topology: {kind: star, hosts: 9}\n"+
		"traffic: [{kind: incast, senders: 8, receiver: h8, flows: 8, size: 1MB}]\n")
	s.run(0, "tune", "algorithm.params.target_qtime=0us,1us,80us", "fig8.yaml", "--for", "goodput_gbps",
		"--against", "queueing_mean_us", "--seeds", "1", "--holdout", "101,102", "--format", "json", "--progress", "none")
	var record tune.Record
	if err := json.Unmarshal([]byte(s.stdout), &record); err != nil {
		t.Fatal(err)
	}
	if record.Recommended["algorithm.params.target_qtime"] != "1us" || record.Held == nil || !*record.Held {
		t.Errorf("%s", s.stdout)
	}
	for _, c := range record.Unseen {
		switch c.Settings["algorithm.params.target_qtime"] {
		case "0us":
			if c.Score[0] < 1.1 {
				t.Errorf("without a queue goodput is only %g of the best", 1/c.Score[0])
			}
		case "80us":
			if c.Score[1] < 1.5 {
				t.Errorf("80us queue only %g times as long", c.Score[1])
			}
		}
	}
}

// A wrong argument is named, and nothing runs.
func TestTuneRefuses(t *testing.T) {
	s := newShell(t)
	s.write("two.yaml", congested)
	for _, c := range []struct{ line, says string }{
		{"tune switch.ecn.kmni=1KB two.yaml", `did you mean "kmin"?`},
		{"tune switch.ecn.kmin two.yaml", "is not a key with values"},
		{"tune switch.ecn.kmin=2MB,3MB two.yaml", "2 of 2 combinations are impossible, the first is switch.ecn.kmin=2MB: "},
		{"tune switch.ecn.kmin=2MB,3MB two.yaml", "above kmax"},
		{"tune switch.ecn.kmin=1KB two.yaml --budget -1", "allowed are 0 and above"},
		{"tune switch.ecn.kmin=1KB two.yaml --output x", "need --onto"},
		{"tune switch.ecn.kmin=1KB two.yaml --onto two.yaml", "--onto needs --output"},
		{"tune switch.ecn.kmin=1KB switch.ecn.kmin=2KB two.yaml", "given twice"},
		{"tune switch.ecn.kmin=1KB two.yaml --for flows", "has no better direction"},
		{"tune switch.ecn.kmin=1KB two.yaml --for fct", "there is no metric"},
		{"tune switch.ecn.kmin=1KB two.yaml --holdout 2", "has seed 2, which the search uses (--seeds 3)"},
		{"tune switch.ecn.kmin=1KB two.yaml --holdout 3..5", "has seed 3, which the search uses"},
		{"tune switch.ecn.kmin=1KB two.yaml --holdout x", "101, which is only that one"},
		{"tune switch.ecn.kmin=1KB two.yaml --holdout=", "101, which is only that one"},
		{"tune switch.ecn.kmin=1KB two.yaml --seeds=", "a search needs at least one"},
		{"tune switch.ecn.kmin=1KB two.yaml --slack -1", "allowed is 0 to 100"},
		{"tune switch.ecn.kmin=1KB two.yaml --variant x", "--variant x"},
		{"tune ecn --hosts 2", "allowed are 3 to 1024"},
		{"tune ecn --rtt 100ns", "allowed is at least"},
		{"tune ecn --mtu 9KB", "allowed are 256B to 4096B"},
		{"tune ecn --rate 400", "did you mean 400Gbps"},
		{"tune ecn --profile tomahawk9", "tomahawk5"},
		{"tune ecn two.yaml --hosts 8", "--hosts describes a leaf"},
		{"tune ecn --set seed=3", "need a SCENARIO"},
		{"tune ecn none.yaml", "none.yaml"},
	} {
		s.run(2, strings.Fields(c.line)...)
		s.says(s.stderr, c.says)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	s.ctx = ctx
	s.run(130, "tune", "switch.ecn.kmin=5KB,50KB", "two.yaml")
}

// An advice is written into a configuration of SONiC, and nothing else is changed there; a search of values that all
// come to the same recommends nothing and writes nothing. Tier: everyday, 2 s.
func TestTuneOnto(t *testing.T) {
	tier.Everyday(t)
	s := newShell(t)
	s.write("config_db.json", `{
  "PORT": {"Ethernet0": {"speed": "100000"}, "Ethernet4": {"speed": "100000"}, "Ethernet8": {"speed": "100000"}},
  "WRED_PROFILE": {"AZURE_LOSSLESS": {"ecn": "ecn_all", "green_min_threshold": "20000", "green_max_threshold": "500000",
    "green_drop_probability": "1", "wred_green_enable": "true"}},
  "QUEUE": {"Ethernet0|3": {"wred_profile": "AZURE_LOSSLESS"}, "Ethernet4|3": {"wred_profile": "AZURE_LOSSLESS"},
    "Ethernet8|3": {"wred_profile": "AZURE_LOSSLESS"}},
  "VLAN": {"Vlan7": {"vlanid": "7"}}
}
`)
	s.write("two.yaml", congested)
	flags := []string{"--against", "queueing_p99_us", "--holdout", "101..103", "--progress", "none", "--onto",
		"config_db.json", "--output", "new.json"}
	s.run(0, append([]string{"tune", "switch.ecn.kmin=5KB,200KB", "two.yaml"}, flags...)...)
	s.says(s.stdout, "Recommended: switch.ecn.kmin=200KB")
	s.says(s.stdout, "The recommendation in new.json:\n")
	s.says(s.stdout, "changed        /WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold: 20000 -> 200000\n")
	text, err := os.ReadFile("new.json")
	if err != nil || !strings.Contains(string(text), `"Vlan7"`) || !strings.Contains(string(text), `"200000"`) {
		t.Errorf("%v: %s", err, text)
	}
	if err := os.Remove("new.json"); err != nil {
		t.Fatal(err)
	}
	s.run(3, append([]string{"tune", "run.limit=1s,2s", "two.yaml"}, flags...)...)
	s.says(s.stdout, "new.json is not written: no recommendation holds")
	if _, err := os.Stat("new.json"); !os.IsNotExist(err) {
		t.Errorf("new.json is there: %v", err)
	}
}

// Thresholds above all queues are best if only completion time counts, and the report names how they work. Tier:
// -short.
func TestTuneWithoutMarks(t *testing.T) {
	s := newShell(t)
	s.write("two.yaml", congested)
	s.run(0, "tune", "switch.ecn.kmin=5KB,700KB", "switch.ecn.kmax=900KB", "two.yaml", "--progress", "none")
	s.says(s.stdout, "Recommended: switch.ecn.kmin=700KB")
	s.says(s.stdout, "It works by not marking at all")
}
