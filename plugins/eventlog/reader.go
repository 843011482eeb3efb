package eventlog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/contract"
)

// longest is the longest line of a log; written ones are a tenth of it.
const longest = 64 << 10

// Read reads a log. An error names the line, what is wrong and what is allowed.
func Read(r io.Reader) (*Log, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longest)
	l := &Log{}
	number := 0
	var answer cc.Decision
	var feedback cc.Feedback
	for lines.Scan() {
		number++
		var err error
		switch {
		case number == 1:
			l.Header, err = parseHeader(lines.Bytes())
			answer = initial(&l.Facts)
		case l.End == Sender:
			var s Step
			s, err = l.parseStep(lines.Bytes(), answer)
			l.Steps, answer = append(l.Steps, s), s.After
		default:
			var c Reception
			c, err = parseReception(lines.Bytes(), number-1, feedback)
			l.Receptions = append(l.Receptions, c)
			if !c.Told {
				feedback = c.After
			}
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d: is longer than %d B", number+1, longest)
	}
	if number == 0 && lines.Err() == nil {
		return nil, errors.New("line 1: is missing; an event log begins with a header")
	}
	return l, lines.Err()
}

// strict reads a line in which every key is known.
func strict(line []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

func parseHeader(line []byte) (h Header, err error) {
	var probe struct {
		Format int `json:"rocelab_event_log"`
	}
	if err := json.Unmarshal(line, &probe); err != nil || probe.Format == 0 {
		return h, errors.New(`is no header of an event log, which has the key "rocelab_event_log"`)
	}
	if probe.Format != formatVersion {
		return h, fmt.Errorf("format %d, this rocelab reads format %d", probe.Format, formatVersion)
	}
	var l headerLine
	if err := strict(line, &l); err != nil {
		return h, err
	}
	end := slices.Index(endNames[:], l.End)
	if end < 0 {
		return h, fmt.Errorf("end %q, allowed are %v", l.End, endNames)
	}
	f := &l.Facts
	if f.LineRate <= 0 {
		return h, fmt.Errorf("line_rate_bps is %d, allowed is above 0", int64(f.LineRate))
	}
	h = Header{
		Flow:      l.Flow,
		Name:      l.Name,
		End:       End(end),
		Algorithm: l.Algorithm,
		Version:   l.Version,
		Params:    l.Params,
		Signals:   l.Signals,
		Facts: cc.Facts{
			Flow:        l.Flow,
			LineRate:    f.LineRate,
			MTU:         f.MTU,
			PacketBytes: f.PacketBytes,
			BaseRTT:     f.BaseRTT,
			Baseline:    f.Baseline,
			Hops:        f.Hops,
			Size:        f.Size,
			Group:       f.Group.group(),
		},
	}
	if err := parseWords(f.Chance, h.Chance[:]); err != nil {
		return h, fmt.Errorf("chance: %w", err)
	}
	return h, nil
}

// parseCall reads a call's line but for what only one end's calls have.
func parseCall(line []byte, number int) (o object, now unit.Time, err error) {
	if err := json.NewDecoder(bytes.NewReader(line)).Decode(&o); err != nil {
		return nil, 0, err
	}
	n := 0
	var errs [2]error
	if o["n"] != nil {
		errs[0] = o.takeNumber("n", &n)
	}
	if o["t_ps"] != nil {
		errs[1] = o.takeNumber("t_ps", &now)
	}
	if err := errors.Join(errs[:]...); err != nil {
		return nil, 0, err
	}
	return o, now, inOrder(n, number)
}

func (l *Log) parseStep(line []byte, answer cc.Decision) (s Step, err error) {
	o, now, err := parseCall(line, len(l.Steps)+1)
	if err != nil {
		return s, err
	}
	event := ""
	if err := o.take("event", &event); err != nil {
		return s, err
	}
	kind, err := parseKind(event)
	if err != nil {
		return s, err
	}
	if err := takeFields(o, contract.Event, &s.Event); err != nil {
		return s, err
	}
	s.Event.Kind, s.Event.Now = kind, now
	var errs [2]error
	s.Before, errs[0] = takeObject(o, "before", contract.Decision, standing(answer, l.Facts.LineRate, kind))
	s.After, errs[1] = takeObject(o, "decision", contract.Decision, s.Before)
	return s, errors.Join(errs[0], errs[1], o.end())
}

func parseReception(line []byte, number int, feedback cc.Feedback) (c Reception, err error) {
	o, now, err := parseCall(line, number)
	if err != nil {
		return c, err
	}
	if (o["group"] == nil) == (o["data"] == nil) {
		return c, errors.New("has not one of data and group")
	}
	if o["group"] != nil {
		var g groupLine
		err := o.take("group", &g)
		return Reception{Told: true, Group: g.group()}, errors.Join(err, o.end())
	}
	var errs [3]error
	c.Arrival, errs[0] = takeObject(o, "data", contract.Arrival, cc.Arrival{})
	c.Arrival.Now = now
	c.Before, errs[1] = takeObject(o, "before", contract.Feedback, feedback)
	c.After, errs[2] = takeObject(o, "feedback", contract.Feedback, c.Before)
	return c, errors.Join(errs[0], errs[1], errs[2], o.end())
}

// inOrder wants lines counted without a gap, so that a log that lost some does
// not pass for whole.
func inOrder(got, want int) error {
	if got != want {
		return fmt.Errorf("n is %d, allowed is %d: lines are missing or out of order", got, want)
	}
	return nil
}
