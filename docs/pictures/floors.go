package main

import "strings"

// storey is packages of one height: each imports only what is below it.
type storey struct{ floor, packages string }

// storeys are the packages of testbed by the longest way of imports below them, from the top; small ones that only one
// of the others imports are left out. A test holds them to the imports.
var storeys = []storey{
	{"many", "reproduce/published"},
	{"many", "reproduce/measure"},
	{"many", "reproduce  tune  sweep/cluster  bench"},
	{"many", "sweep  comparison"},
	{"many", "experiment  training"},
	{"many", "judge"},
	{"many", "campaign"},
	{"look", "diff  pack  view"},
	{"look", "report  page"},
	{"look", "report/picture  view/exposition  baseline"},
	{"look", "compare  rerun  progressfile"},
	{"nodes", "live/rehearsal"},
	{"nodes", "veth"},
	{"nodes", "daemon  live/bump"},
	{"nodes", "live/outside"},
	{"nodes", "live/device  live/iface  doctor  capture"},
	{"nodes", "lockstep  packet  live/replay  live/stack  cni"},
	{"nodes", "container  netns  enter  live/pace"},
	{"", "mem"},
	{"", "model"},
}

// floors is the storeys of testbed, from the top.
func floors() *drawing {
	const left, wide, high, gap = 24.0, 620.0, 30.0, 18.0
	d := &drawing{
		width: left + wide + 24,
		title: "The floors of testbed",
		words: "The packages of testbed by their height: each imports only packages that are below it. From the top: " +
			"many, which makes many runs; look, which shows runs; nodes, which runs them in containers; mem and model.",
	}
	colours := map[string]colour{"many": orange, "look": purple, "nodes": green, "": blue}
	y, floor := 20.0, "many"
	for _, s := range storeys {
		if s.floor != floor {
			y += gap
			floor = s.floor
		}
		name := strings.ReplaceAll(s.packages, "  ", "   ")
		if s.floor != "" {
			name = s.floor + ":   " + name
		}
		d.box(colours[s.floor], place{x: left, y: y, w: wide, h: high - 4}, name)
		y += high
	}
	d.note(left, y+14, "start", "A package imports only what is below it.")
	d.height = y + 34
	return d
}
