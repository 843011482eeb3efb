package eventlog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc"
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
	h = Header{Flow: l.Flow, Name: l.Name, End: End(end), Algorithm: l.Algorithm, Version: l.Version, Params: l.Params, Signals: l.Signals,
		Facts: cc.Facts{Flow: l.Flow, LineRate: f.LineRate, MTU: f.MTU, PacketBytes: f.PacketBytes, BaseRTT: f.BaseRTT, Baseline: f.Baseline,
			Hops: f.Hops, Size: f.Size, Group: f.Group.group()}}
	if err := parseWords(f.Chance, h.Chance[:]); err != nil {
		return h, fmt.Errorf("chance: %w", err)
	}
	return h, nil
}

func (l *Log) parseStep(line []byte, answer cc.Decision) (s Step, err error) {
	var v stepLine
	if err := strict(line, &v); err != nil {
		return s, err
	}
	if err := inOrder(v.N, len(l.Steps)+1); err != nil {
		return s, err
	}
	kind, err := parseKind(v.Event)
	if err != nil {
		return s, err
	}
	s.Event = cc.Event{Kind: kind, CE: v.CE, Flows: v.Flows, Now: v.Now, Clock: v.Clock, Acked: v.Acked, Inflight: v.Inflight, Sent: v.Sent, RTT: v.RTT,
		OneWayDelay: v.OneWayDelay, Echo: v.Echo, BaseRate: v.BaseRate, RemoteDelay: v.RemoteDelay}
	var errs [4]error
	s.Event.INT, errs[0] = v.INT.stack()
	s.Event.Own, errs[1] = parseOwn(v.Own)
	s.Before, errs[2] = v.Before.decision(standing(answer, l.Facts.LineRate, kind))
	s.After, errs[3] = v.Decision.decision(s.Before)
	return s, errors.Join(errs[:]...)
}

func parseReception(line []byte, number int, feedback cc.Feedback) (c Reception, err error) {
	var v receptionLine
	if err := strict(line, &v); err != nil {
		return c, err
	}
	if err := inOrder(v.N, number); err != nil {
		return c, err
	}
	if (v.Group == nil) == (v.Data == nil) {
		return c, errors.New("has not one of data and group")
	}
	if v.Group != nil {
		return Reception{Told: true, Group: v.Group.group()}, nil
	}
	a := v.Data
	c.Arrival = cc.Arrival{Now: v.Now, Clock: a.Clock, TxTime: a.TxTime, Baseline: a.Baseline, Bytes: a.Bytes, Active: a.Active,
		CE: a.CE, Last: a.Last, Resent: a.Resent}
	var errs [3]error
	c.Arrival.Own, errs[0] = parseOwn(a.Own)
	c.Before, errs[1] = v.Before.feedback(feedback)
	c.After, errs[2] = v.Feedback.feedback(c.Before)
	return c, errors.Join(errs[:]...)
}

// inOrder wants lines counted without a gap, so that a log that lost some does
// not pass for whole.
func inOrder(got, want int) error {
	if got != want {
		return fmt.Errorf("n is %d, allowed is %d: lines are missing or out of order", got, want)
	}
	return nil
}
