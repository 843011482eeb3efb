package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/internal/spelling"
)

// meant are words of other tools and of papers, each with ours: the first that
// is allowed where the word was written is named.
var meant = map[string][]string{
	"algo":               {"algorithm"},
	"args":               {"params"},
	"assert":             {"expect"},
	"at":                 {"start", "from", "down"},
	"bandwidth":          {"rate"},
	"begin":              {"start"},
	"buffer_size":        {"buffer"},
	"bw":                 {"rate"},
	"bytes":              {"size"},
	"capacity":           {"rate", "buffer"},
	"cc":                 {"algorithm"},
	"cdf":                {"distribution"},
	"cmd":                {"exec"},
	"command":            {"exec"},
	"congestion_control": {"algorithm"},
	"count":              {"hosts", "flows", "events"},
	"degree":             {"senders", "draw"},
	"delay":              {"latency", "start"},
	"dest":               {"to", "receiver"},
	"destination":        {"to", "receiver"},
	"dev":                {"interface"},
	"device":             {"interface"},
	"dscp_map":           {"dscp", "classes"},
	"dst":                {"to", "receiver"},
	"duration":           {"until"},
	"end":                {"stop", "until", "up"},
	"errors":             {"faults"},
	"experiments":        {"variants"},
	"fabric":             {"topology"},
	"failures":           {"faults"},
	"fan_in":             {"senders", "draw"},
	"flow_size":          {"size"},
	"flows":              {"traffic"},
	"frame_size":         {"mtu"},
	"from":               {"senders", "hosts"},
	"hosts":              {"senders", "from"},
	"hosts_per_tor":      {"hosts_per_leaf"},
	"if":                 {"interface"},
	"ifname":             {"interface"},
	"interval":           {"period"},
	"length":             {"size"},
	"link_rate":          {"rate"},
	"link_speed":         {"rate"},
	"loss_rate":          {"loss"},
	"max_threshold":      {"kmax"},
	"memory":             {"buffer"},
	"message_size":       {"message"},
	"min_threshold":      {"kmin"},
	"msg_size":           {"message"},
	"net":                {"topology"},
	"netns":              {"namespace"},
	"network":            {"topology"},
	"nodes":              {"hosts"},
	"op":                 {"operation"},
	"options":            {"params"},
	"packet_size":        {"mtu"},
	"parameters":         {"params"},
	"pattern":            {"kind"},
	"probability":        {"pmax", "loss"},
	"propagation":        {"latency"},
	"protocol":           {"algorithm"},
	"receiver":           {"to"},
	"receivers":          {"to", "receiver"},
	"red":                {"ecn"},
	"seeds":              {"seed"},
	"sender":             {"from", "senders"},
	"senders":            {"from", "hosts"},
	"servers":            {"hosts"},
	"source":             {"from", "senders"},
	"speed":              {"rate"},
	"src":                {"from", "senders"},
	"time":               {"until", "at", "start"},
	"timeout":            {"limit", "rto"},
	"title":              {"name"},
	"to":                 {"receiver", "hosts"},
	"topo":               {"topology"},
	"tors":               {"leaves"},
	"type":               {"kind"},
	"wred":               {"ecn"},
	"workload":           {"traffic"},
}

// unknown describes a word that is not in list.
func unknown(what, word string, list []string) string {
	return fmt.Sprintf("unknown %s %q: %s", what, shorten(word), instead(word, list))
}

// instead returns the suggestion in place of a word: the probable one, or all that is allowed.
func instead(word string, list []string) string {
	for _, ours := range meant[strings.ToLower(word)] {
		if slices.Contains(list, ours) {
			return fmt.Sprintf("did you mean %q?", ours)
		}
	}
	if near := spelling.Nearest(word, list); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "allowed are " + strings.Join(spelling.ByNearness(word, list), ", ")
}
