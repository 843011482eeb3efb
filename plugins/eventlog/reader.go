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
	"github.com/rocelab/rocelab/plugins/cc/contract"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// maxLine is the longest line of a log; written ones are a tenth of it.
const maxLine = 64 << 10

// Read reads a log. An error names the line, the fault and the allowed values.
func Read(from io.Reader) (*Log, error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine)
	log := &Log{}
	number := 0
	var answer cc.Decision
	var feedback cc.Feedback
	var values [cc.MostValues]Value
	for lines.Scan() {
		number++
		var err error
		switch {
		case number == 1:
			log.Header, err = parseHeader(lines.Bytes())
			answer = initialDecision(&log.Facts)
		case log.End == Sender:
			var step Step
			step, err = log.parseStep(lines.Bytes(), answer, values)
			log.Steps, answer, values = append(log.Steps, step), step.After, step.Values
		default:
			var reception Reception
			reception, err = parseReception(lines.Bytes(), number-1, feedback)
			log.Receptions = append(log.Receptions, reception)
			if !reception.IsGroup {
				feedback = reception.After
			}
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d: is longer than %d B", number+1, maxLine)
	}
	if number == 0 && lines.Err() == nil {
		return nil, errors.New("line 1: is missing; an event log begins with a header")
	}
	return log, lines.Err()
}

// strict reads a line, all of whose keys must be known.
func strict(line []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

func parseHeader(line []byte) (header Header, err error) {
	var probe struct {
		Format int `json:"rocelab_event_log"`
	}
	if err := json.Unmarshal(line, &probe); err != nil || probe.Format == 0 {
		return header, errors.New(`is not a header of an event log, which has the key "rocelab_event_log"`)
	}
	if probe.Format != formatVersion {
		return header, fmt.Errorf("format %d, this rocelab reads format %d", probe.Format, formatVersion)
	}
	var read headerLine
	if err := strict(line, &read); err != nil {
		return header, err
	}
	end := slices.Index(endNames[:], read.End)
	if end < 0 {
		return header, fmt.Errorf("end %q, allowed are %v", read.End, endNames)
	}
	facts := &read.Facts
	if facts.LineRate <= 0 {
		return header, fmt.Errorf("line_rate_bps is %d, allowed is above 0", int64(facts.LineRate))
	}
	values, err := parseValues(read.Values)
	if err != nil {
		return header, err
	}
	header = Header{
		Values:    values,
		Flow:      read.Flow,
		Name:      read.Name,
		End:       End(end),
		Algorithm: read.Algorithm,
		Version:   read.Version,
		Params:    read.Params,
		Signals:   read.Signals,
		Facts: cc.Facts{
			Flow:        read.Flow,
			LineRate:    facts.LineRate,
			MTU:         facts.MTU,
			PacketBytes: facts.PacketBytes,
			BaseRTT:     facts.BaseRTT,
			Baseline:    facts.Baseline,
			Hops:        facts.Hops,
			Size:        facts.Size,
			Group:       facts.Group.group(),
		},
	}
	if err := parseHex(facts.Chance, header.Chance[:]); err != nil {
		return header, fmt.Errorf("chance: %w", err)
	}
	return header, nil
}

// parseCall reads a call's line but for what only one end's calls have.
func parseCall(line []byte, number int) (fields object, now unit.Time, err error) {
	if err := json.NewDecoder(bytes.NewReader(line)).Decode(&fields); err != nil {
		return nil, 0, err
	}
	n := 0
	var errs [2]error
	if fields["n"] != nil {
		errs[0] = fields.takeNumber("n", &n)
	}
	if fields["t_ps"] != nil {
		errs[1] = fields.takeNumber("t_ps", &now)
	}
	if err := errors.Join(errs[:]...); err != nil {
		return nil, 0, err
	}
	return fields, now, inOrder(n, number)
}

func (l *Log) parseStep(line []byte, answer cc.Decision, values [cc.MostValues]Value) (step Step, err error) {
	step.Values = values
	fields, now, err := parseCall(line, len(l.Steps)+1)
	if err != nil {
		return step, err
	}
	event := ""
	if err := fields.take("event", &event); err != nil {
		return step, err
	}
	kind, err := parseKind(event)
	if err != nil {
		return step, err
	}
	if err := takeFields(fields, contract.Event, &step.Event); err != nil {
		return step, err
	}
	step.Event.Kind, step.Event.Now = kind, now
	var errs [3]error
	step.Before, errs[0] = takeObject(fields, "before", contract.Decision, decisionBefore(answer, l.Facts.LineRate, kind))
	step.After, errs[1] = takeObject(fields, "decision", contract.Decision, step.Before)
	errs[2] = takeValues(fields, l.Header.Values, &step.Values)
	return step, errors.Join(errs[0], errs[1], errs[2], fields.end())
}

func parseReception(line []byte, number int, feedback cc.Feedback) (reception Reception, err error) {
	fields, now, err := parseCall(line, number)
	if err != nil {
		return reception, err
	}
	if (fields["group"] == nil) == (fields["data"] == nil) {
		return reception, errors.New("has not one of data and group")
	}
	if fields["group"] != nil {
		var g groupLine
		err := fields.take("group", &g)
		return Reception{IsGroup: true, Group: g.group()}, errors.Join(err, fields.end())
	}
	var errs [3]error
	reception.Arrival, errs[0] = takeObject(fields, "data", contract.Arrival, cc.Arrival{})
	reception.Arrival.Now = now
	reception.Before, errs[1] = takeObject(fields, "before", contract.Feedback, feedback)
	reception.After, errs[2] = takeObject(fields, "feedback", contract.Feedback, reception.Before)
	return reception, errors.Join(errs[0], errs[1], errs[2], fields.end())
}

// inOrder wants lines counted without a gap, so that a log that lost some does
// not pass for whole.
func inOrder(got, want int) error {
	if got != want {
		return fmt.Errorf("n is %d, allowed is %d: lines are missing or out of order", got, want)
	}
	return nil
}
