package report

import (
	"strings"
	"testing"
)

// slowFiles are the files of a run with three flows, two of them the slowest.
var slowFiles = map[string]string{
	"flows.csv": "flow,size_bytes,start_us,completed_us,fct_us,ideal_us,slowdown,goodput_gbps,acked_bytes,silence_us," +
		"silent_from_us,np_ecn_marked_roce_packets,rp_cnp_handled,resent_packets,timeouts,message_max_us\n" +
		"x,1000,0.000000,10.000000,10.000,10.000000,1.0000,1.000,1000,0.000000,0.000000,0,0,0,0,\n" +
		"y,1000,5.000000,45.500000,40.500,10.000000,4.0500,1.000,1000,9.000000,7.000000,8,2,1,0,\n" +
		"z,1000,0.000000,30.000000,30.000,10.000000,3.0000,1.000,1000,0.000000,0.000000,0,0,0,0,\n",
	"slow_flows.csv": "flow,slowdown,hop,node,port,peer,queue,frames_share,wait_share,over,depth_max_bytes," +
		"ecn_marked_frames,paused_us,flows_mean,other_flows,beside\n" +
		"y,4.0500,0,h0,0,s0,,1.0000,0.0000,flow,0,0,1.250000,1.00,0,\n" +
		"y,4.0500,1,s0,2,h2,3,1.0000,1.0000,flow,9000,8,0.000000,2.40,4,z; x\n" +
		"z,3.0000,1,s0,2,h2,3,1.0000,1.0000,flow,9000,8,0.000000,2.00,1,y\n",
}

// The page gives the reason why the slowest flow was slow, in the terminal's words and near its top, and has the cells
// of its ports; with several seeds it is the slowest of all.
func TestSlowFlows(t *testing.T) {
	fast, slow := fakeRun{variant: "a", seed: 1}, fakeRun{variant: "a", seed: 2, files: slowFiles}
	fast.files = map[string]string{
		"flows.csv":      strings.ReplaceAll(slowFiles["flows.csv"], "4.0500", "2.0500"),
		"slow_flows.csv": slowFiles["slow_flows.csv"],
	}
	last := fast
	last.seed = 3
	files := folderOf(t, "one", fast, slow, last)
	page := written(t, opened(t, "run", files))
	root := parsed(t, page)
	said := textOf(byID(t, root, "slow"))
	want := "a seed 2: y took 40.50 us, 4.050 times as long as alone; s0:2 to h2 had 100 % of its wait in queues, " +
		"shared by 2.4 flows at a time: z, x and 2 more; 8 packets marked, 2 CNPs, 1 packet sent again, h0:0 paused by s0 " +
		"for 1.250 us; no packet arrived for 9 us from 7 us on"
	if !strings.Contains(said, want) || strings.Count(said, " took ") != 1 {
		t.Errorf("%q has not once %q", said, want)
	}
	if at, next := strings.Index(page, `id="slow"`), strings.Index(page, `id="completion"`); at < 0 || at > next {
		t.Error("it is not near the top")
	}
	if table := textOf(byID(t, root, "slow-ports")); !strings.Contains(table, "z; x") || !strings.Contains(table, "9 KB") {
		t.Error(table)
	}
	if wrong, _ := wrongNumbers(t, page, files); len(wrong) > 0 {
		t.Error(wrong[0])
	}
}

// A flow that was not slow is not called so, and of flows without a size the one that got as much
// as the others.
func TestNoSlowFlow(t *testing.T) {
	for name, c := range map[string]struct{ from, to string }{
		"as alone":   {"4.0500", "1.1000"},
		"no size":    {"y,1000,5.000000,45.500000,40.500,10.000000,4.0500", "y,0,5.000000,,,,"},
		"incomplete": {"y,1000,5.000000,45.500000,40.500,10.000000,4.0500", "y,2000,5.000000,,,10.000000,"},
	} {
		t.Run(name, func(t *testing.T) {
			r := fakeRun{variant: "a", files: map[string]string{
				"flows.csv":      strings.ReplaceAll(slowFiles["flows.csv"], c.from, c.to),
				"slow_flows.csv": slowFiles["slow_flows.csv"],
			}}
			v := variantsOf([]*Folder{opened(t, "run", folderOf(t, "one", r))})[0]
			slow, err := v.runs[0].slowest()
			if err != nil || (slow != nil) != (name == "incomplete") {
				t.Errorf("%s: %v, %v", name, slow, err)
			}
		})
	}
}

// The slowest flows come first over all variants: incomplete ones, then by slowdown, which for a flow whose messages
// wait for others is its slowest message's.
func TestSlowestFlowsComeFirst(t *testing.T) {
	const header = "flow,size_bytes,acked_bytes,start_us,completed_us,ideal_us,slowdown,message_max_us,fct_us\n"
	a, b := plain("a"), plain("b")
	a.files["flows.csv"] = header + "a-quick,10,10,0,5,1,1.5,,5\na-job,10,10,0,9,2,,8,9\na-left,10,5,0,,1,,,\n"
	b.files["flows.csv"] = header + "b-slow,10,10,0,5,1,3.9,,5\nb-job,10,10,0,9,2,,9,9\nb-stuck,10,1,0,,1,,,\n"
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", a, b))))
	text := textOf(byID(t, root, "slow-flows"))
	at := -1
	for _, name := range []string{"b-stuck", "a-left", "b-job", "a-job", "b-slow", "a-quick"} {
		t.Run(name, func(t *testing.T) {
			next := strings.Index(text, name)
			if next < at {
				t.Errorf("%s is before another that was slower, in %s", name, text)
			}
			at = next
		})
	}
}
