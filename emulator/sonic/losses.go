package sonic

import (
	"regexp"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/conversion"
)

// effect is a kind of losses by the paths of their keys.
type effect struct {
	path   *regexp.Regexp
	absent bool
	what   string
}

// effects are the kinds of losses that change results, those with the largest effect first. A loss is a key that was
// approximated, or one that has no counterpart if absent is set.
var effects = []effect{
	{regexp.MustCompile(`^/PORT_QOS_MAP/.*/pfc_enable$`), false, "classes that a port pauses"},
	{regexp.MustCompile(`^/PORT_QOS_MAP`), false, "classes and queues of frames"},
	{regexp.MustCompile(`^/BUFFER_PG$`), false, "alpha and headroom"},
	{regexp.MustCompile(`^/BUFFER_POOL`), false, "memory that is shared"},
	{regexp.MustCompile(`^/BUFFER_P(G|ROFILE)/`), false, "thresholds of pauses"},
	{regexp.MustCompile(`^/(DSCP_TO_TC_MAP|TC_TO_QUEUE_MAP|MAP_PFC_PRIORITY_TO_QUEUE)/`), false, "queues of frames"},
	{regexp.MustCompile(`^/WRED_PROFILE/.*/(ecn|wred_green_enable)$`), true, "marking"},
	{regexp.MustCompile(`^/SCHEDULER/.*/(cir|pir|cbs|pbs)$`), true, "rates of queues"},
	{regexp.MustCompile(`^/SCHEDULER/`), false, "shares of queues"},
	{regexp.MustCompile(`^/PFC_WD/`), false, "watchdog"},
	{regexp.MustCompile(`^/(FG_NHG|BGP_DEVICE_GLOBAL)/|^/PORT(/.*/link_event_damping_algorithm)?$`), false, "routes"},
	{regexp.MustCompile(`^/BUFFER_PG/`), true, "drops of lossy classes"},
	{regexp.MustCompile(`^/BUFFER_QUEUE/`), true, "limits of egress queues"},
	{regexp.MustCompile(`^/(CABLE_LENGTH|PORT)`), false, "links"},
}

// Losses returns, from the lines on a configuration, the three kinds of losses that change results most, as the lines
// of each; fewer if there are fewer.
func Losses(lines []conversion.Line) (list []Loss) {
	const most = 3
	for i := range effects {
		var of []conversion.Line
		for _, line := range lines {
			if effectOf(line) == i {
				of = append(of, line)
			}
		}
		if of != nil && len(list) < most {
			list = append(list, Loss{effects[i].what, of})
		}
	}
	return list
}

// Loss is lines about one thing that changes results.
type Loss struct {
	// What is the thing in words: "thresholds of pauses".
	What  string
	Lines []conversion.Line
}

// effectOf returns the place of a line among effects; -1 for one that changes nothing.
func effectOf(line conversion.Line) int {
	if line.Note == noGroupUses || line.Note == noQueueUses {
		return -1
	}
	path := line.Path[max(0, strings.IndexByte(line.Path, '/')):] // of a fabric, behind the switch's name
	return slices.IndexFunc(effects, func(e effect) bool {
		return e.path.MatchString(path) &&
			(line.Verdict == conversion.Approximated && !e.absent || line.Verdict == conversion.Absent && e.absent)
	})
}
