package sonic

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
)

// overcommitted is the buffers of a template for a Tomahawk 6 that a maker of switches reports as larger than the chip
// (sonic-buildimage#28657): a pool of 258,035,400 B beside 81,553,920 B of shared headroom.
func overcommitted(pool, xoff int) []byte {
	c := Config{}
	c.set("DEVICE_METADATA", "localhost", "hwsku", "NH-4210-F-P128")
	for i := range 16 {
		port := fmt.Sprintf("Ethernet%d", 4*i)
		c.set("PORT", port, "speed", "800000")
		c.set("PORT", port, "admin_status", "up")
		c.set("CABLE_LENGTH", "AZURE", port, "5m")
		c.set("PORT_QOS_MAP", port, "pfc_enable", "3,4")
		c.set("BUFFER_PG", port+"|3-4", "profile", "lossless")
	}
	c.set("BUFFER_PROFILE", "lossless", "pool", "ingress_lossless_pool")
	c.set("BUFFER_PROFILE", "lossless", "size", "1680")
	c.set("BUFFER_PROFILE", "lossless", "dynamic_th", "0")
	c.set("BUFFER_PROFILE", "lossless", "xoff", "100000")
	c.set("BUFFER_POOL", "ingress_lossless_pool", "type", "ingress")
	c.set("BUFFER_POOL", "ingress_lossless_pool", "mode", "dynamic")
	c.set("BUFFER_POOL", "ingress_lossless_pool", "size", fmt.Sprint(pool))
	if xoff > 0 {
		c.set("BUFFER_POOL", "ingress_lossless_pool", "xoff", fmt.Sprint(xoff))
	}
	return c.JSON()
}

// An import warns of a file that gives out more than the chip has, and the resulting scenario is refused; a file that
// fits has the chip's profile, without a warning; one that fits only with a shared headroom has none.
func TestMoreThanTheChipHas(t *testing.T) {
	for _, c := range []struct {
		pool, xoff    int
		chip, warning string
		profile       string
		valid         bool
	}{
		{258035400, 81553920, "", "takes 339.643MB, more than the 267.197MB of memory of Broadcom Tomahawk 6 (BCM78910) " +
			"(quoted): pool 258.035MB + xoff 81.554MB + reserves 53.76KB; a switch may refuse", "tomahawk6", true},
		{264000000, 81553920, "", "in silence, and rocelab validate refuses", "tomahawk6", false},
		{176481480, 81553920, "", "", "tomahawk6", true},
		{200000000, 60000000, "", "", "tomahawk6", true},
		{265000000, 1680000, "", "with a headroom for each class of each port", "", true},
		{267196860 - 53760 + 1 - 3200000, 0, "", "headrooms 3.2MB", "tomahawk6", false},
		{267196860 - 53760 - 3200000, 0, "", "", "tomahawk6", true},
		{176481480, 81553920, "tomahawk5", "more than the 165.2MB of memory of Broadcom Tomahawk 5", "tomahawk5", false},
	} {
		t.Run(fmt.Sprintf("pool=%v,xoff=%v,chip=%s", c.pool, c.xoff, c.chip), func(t *testing.T) {
			imported, err := ImportAs("config_db.json", overcommitted(c.pool, c.xoff), c.chip)
			if err != nil {
				t.Fatal(err)
			}
			warnings := strings.Join(imported.Warnings, "\n")
			if c.warning == "" && warnings != "" || !strings.Contains(warnings, c.warning) {
				t.Errorf("%+v: warnings are %q", c, warnings)
			}
			if has := strings.Contains(string(imported.Scenario), "  profile: "+c.profile+"\n"); has != (c.profile != "") {
				t.Errorf("%+v:\n%s", c, imported.Scenario)
			}
			_, err = scenario.Parse("x.yaml", imported.Scenario, nil)
			if (err == nil) != c.valid || err != nil && !strings.Contains(err.Error(), "and the packet memory of") {
				t.Errorf("%+v: %v", c, err)
			}
		})
	}
	if _, _, err := Onto("config_db.json", overcommitted(258035400, 81553920), mustPlan(t), 0); err == nil ||
		strings.Contains(err.Error(), "memory") {
		t.Errorf("onto a file that gives out too much: %v, want one about its ports", err)
	}
}

func mustPlan(t *testing.T) *plan.Plan {
	t.Helper()
	p, err := planOf([]byte("topology: {kind: star, hosts: 2}\nalgorithm: dcqcn\ntraffic: [{kind: incast, size: 1MB}]"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The losses are the three kinds that change results most, and never a key that nothing uses.
func TestLosses(t *testing.T) {
	lines := []conversion.Line{
		{Path: "/NTP_SERVER", Verdict: conversion.Absent},
		{Path: "/SCHEDULER/a/pir", Verdict: conversion.Absent, Was: "1"},
		{Path: "/BUFFER_PROFILE/a/xoff", Verdict: conversion.Approximated, Note: "near"},
		{Path: "/BUFFER_PROFILE/b/xoff", Verdict: conversion.Absent, Note: noGroupUses},
		{Path: "/PFC_WD/Ethernet0/action", Verdict: conversion.Approximated},
		{Path: "/WRED_PROFILE/a/ecn", Verdict: conversion.Absent, Note: noQueueUses},
		{Path: "/PORT_QOS_MAP/Ethernet0/pfc_enable", Verdict: conversion.Approximated},
		{Path: "/PORT_QOS_MAP/Ethernet4/pfc_enable", Verdict: conversion.Approximated},
		{Path: "/PORT_QOS_MAP/Ethernet8/pfc_enable", Verdict: conversion.Taken},
	}
	var got []string
	for _, l := range Losses(lines) {
		got = append(got, fmt.Sprintf("%s %d", l.What, len(l.Lines)))
	}
	want := []string{"classes that a port pauses 2", "thresholds of pauses 1", "rates of queues 1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if list := Losses(nil); list != nil {
		t.Errorf("%v", list)
	}
}
