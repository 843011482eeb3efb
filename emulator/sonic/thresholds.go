package sonic

import (
	"fmt"
	"math"
	"strconv"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Thresholds are settings of one kind of port, for callers that found them by other means than a scenario.
type Thresholds struct {
	// Kmin and Kmax are queue lengths; Pmax, from 0 to 1, is the marking probability at Kmax.
	Kmin, Kmax unit.Bytes
	Pmax       float64
	// Alpha is the share of the free memory that an ingress priority may hold. 0 for no buffer
	// profile.
	Alpha float64
	// Reserve, Headroom and ResumeOffset are the other values of the buffer profile. A headroom of 0 is left
	// to the switch, which knows the cable.
	Reserve, Headroom, ResumeOffset unit.Bytes
	// Rate and Length are the port's; SONiC names buffer profiles after them.
	Rate   unit.BitRate
	Length unit.Length
}

// The names that SONiC's own templates give.
const (
	wredName        = "AZURE_LOSSLESS"
	mapName         = "AZURE"
	ingressPoolName = "ingress_lossless_pool"
)

// profileName returns SONiC's name of the buffer profile of lossless priorities.
func profileName(rate unit.BitRate, length unit.Length) string {
	return fmt.Sprintf("pg_lossless_%d_%dm_profile", rate/unit.Mbps, length/unit.Metre)
}

// Profiles returns the profiles with these thresholds, and a line for each value that SONiC
// cannot have as it is: a marking probability is in whole percent there, and alpha a power of two.
func (t *Thresholds) Profiles() (Config, []conversion.Line) {
	out := writer{config: Config{}}
	out.wred(wredName, true, t.Kmin, t.Kmax, t.Pmax)
	if t.Alpha > 0 {
		name := profileName(t.Rate, t.Length)
		out.config.set("BUFFER_PROFILE", name, "pool", ingressPoolName)
		out.bufferProfile(name, t.Alpha, t.Reserve, t.Headroom, t.ResumeOffset)
	}
	return out.config, out.lines
}

// writer makes a configuration, and reports the settings that it could not write as they are.
type writer struct {
	config Config
	lines  []conversion.Line
}

// approximated reports that a field has another value than it should.
func (w *writer) approximated(path, was, is, why string) {
	w.lines = append(w.lines, conversion.Line{
		Path:    path,
		Verdict: conversion.Approximated,
		Was:     was,
		Is:      is,
		Note:    why,
	})
}

// colours are the colours of packets, for each of which a WRED profile has thresholds. Without a policer, every packet
// is green; SONiC's templates give all three the same.
var colours = []string{"green", "yellow", "red"}

func (w *writer) wred(name string, marks bool, kmin, kmax unit.Bytes, pmax float64) {
	const table = "WRED_PROFILE"
	ecn := map[bool]string{true: "ecn_all", false: "ecn_none"}[marks]
	w.config.set(table, name, "ecn", ecn)
	percent := math.Round(100 * pmax)
	if pmax > 0 && percent == 0 {
		percent = 1 // 0 would mark nothing up to Kmax
	}
	is := strconv.Itoa(unit.Whole[int](percent))
	for _, colour := range colours {
		w.config.set(table, name, "wred_"+colour+"_enable", strconv.FormatBool(marks))
		w.config.set(table, name, colour+"_min_threshold", bytesText(kmin))
		w.config.set(table, name, colour+"_max_threshold", bytesText(kmax))
		w.config.set(table, name, colour+"_drop_probability", is)
	}
	if math.Abs(percent-float64(100*pmax)) > 1e-9 {
		w.approximated(pointer(table, name, "green_drop_probability"), percentText(pmax), is+" %",
			"SONiC has whole percent")
	}
}

func (w *writer) bufferProfile(name string, alpha float64, reserve, headroom, resumeOffset unit.Bytes) {
	const table = "BUFFER_PROFILE"
	power := min(max(math.Round(math.Log2(alpha)), -maxPower), maxPower)
	is := strconv.Itoa(unit.Whole[int](power))
	w.config.set(table, name, "dynamic_th", is)
	if exact := math.Exp2(power); exact != alpha {
		w.approximated(pointer(table, name, "dynamic_th"), "alpha "+numberText(alpha), "alpha "+numberText(exact),
			"SONiC has powers of two")
	}
	w.config.set(table, name, "size", bytesText(reserve))
	if headroom > 0 {
		w.config.set(table, name, "xoff", bytesText(headroom))
	}
	w.config.set(table, name, "xon_offset", bytesText(resumeOffset))
}

// maxPower bounds dynamic_th on both sides; chips allow less.
const maxPower = 10

func bytesText(b unit.Bytes) string { return strconv.FormatInt(int64(b), 10) }

func percentText(share float64) string { return numberText(100*share) + " %" }

func numberText(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
