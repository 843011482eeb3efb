package mlxconfig

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/profile"
)

// qos is the output of mlnx_qos for an interface.
type qos struct {
	// byDSCP is set if priorities follow from DSCPs.
	byDSCP bool
	// priority is the priority of each DSCP; mapped is set if the map was found.
	priority [profile.MaxDSCP + 1]int
	mapped   bool
	// pfc are the priorities with PFC, and pfcText how they are written; "" for none.
	pfc     [profile.Classes]bool
	pfcText string
	// pfcNext is set if the next line with "enabled" is about PFC.
	pfcNext bool
	// rest are the other lines.
	rest []string
}

var (
	trust    = regexp.MustCompile(`^Priority trust state:\s*(\S+)$`)
	priority = regexp.MustCompile(`^prio:\s*([0-9]+)\s+dscp:([0-9,\s]*)$`)
	enabled  = regexp.MustCompile(`^enabled\s+([01](?:\s+[01])*)$`)
	// ofQoS are the other lines of mlnx_qos.
	ofQoS = regexp.MustCompile(`^(DCBX mode:|dscp2prio mapping|Cable len:|PFC configuration|priority:?\s|` +
		`Receive buffer size|Buffers? size|buffer\s|tc:|total_size)`)
)

// qosLine reads a line that mlnx_qos printed, and reports whether it is one.
func (f *file) qosLine(line string, number, at int) bool {
	if m := trust.FindStringSubmatch(line); m != nil {
		f.ofQoS().byDSCP = m[1] == "dscp"
		return true
	}
	if m := priority.FindStringSubmatch(line); m != nil {
		f.readPriority(m[1], m[2], number, at)
		return true
	}
	if m := enabled.FindStringSubmatch(line); m != nil && f.qos != nil && f.qos.pfcNext {
		f.readPFC(m[1], number, at)
		return true
	}
	if !ofQoS.MatchString(line) {
		return false
	}
	q := f.ofQoS()
	q.pfcNext = q.pfcNext || strings.HasPrefix(line, "PFC configuration")
	if strings.HasPrefix(line, "tc:") || strings.HasPrefix(line, "Cable len:") || strings.HasPrefix(line, "DCBX") {
		q.rest = append(q.rest, line)
	}
	return true
}

func (f *file) ofQoS() *qos {
	if f.qos == nil {
		f.qos = &qos{}
	}
	return f.qos
}

func (f *file) readPriority(text, dscps string, number, at int) {
	class, err := strconv.Atoi(text)
	if err != nil || class >= profile.Classes {
		f.add(number, at, "priority %q is not allowed: it must be a whole number from 0 to 7", document.Shorten(text))
		return
	}
	for text := range strings.SplitSeq(dscps, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		dscp, err := strconv.Atoi(text)
		if err != nil || dscp > profile.MaxDSCP {
			f.add(number, at, "DSCP %q is not allowed: it must be a whole number from 0 to %d", document.Shorten(text),
				profile.MaxDSCP)
			continue
		}
		f.ofQoS().priority[dscp], f.ofQoS().mapped = class, true
	}
}

func (f *file) readPFC(text string, number, at int) {
	bits := strings.Fields(text)
	if len(bits) != profile.Classes {
		f.add(number, at, "%d priorities with or without PFC: there must be %d", len(bits), profile.Classes)
		return
	}
	var list []string
	for class, bit := range bits {
		if f.qos.pfc[class] = bit == "1"; bit == "1" {
			list = append(list, strconv.Itoa(class))
		}
	}
	f.qos.pfcText, f.qos.pfcNext = strings.Join(list, ","), false
	if list == nil {
		f.qos.pfcText = "none"
	}
}
