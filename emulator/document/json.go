package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// ParseJSON reads a text of JSON into a tree. It refuses what encoding/json lets pass: a key that is written twice, and
// what follows the value. It returns nil if there is none to go on with; add has been given why.
func (l *Language) ParseJSON(file string, src []byte, add Adder) *Node {
	src, ok := l.text(file, src, add)
	if !ok {
		return nil
	}
	d := &decoder{
		Language: l,
		Decoder:  json.NewDecoder(bytes.NewReader(src)),
		src:      src,
		at:       Position{file, 1, 1},
		add:      add,
	}
	d.UseNumber()
	root, err := d.value(0)
	if err != nil {
		d.broken(err)
		return nil
	}
	if _, err = d.next(); !errors.Is(err, io.EOF) {
		add(d.at, "something follows the %s: a file has one", l.Name)
		return nil
	}
	if d.twice {
		return nil
	}
	return root
}

// decoder reads tokens of JSON with their places.
type decoder struct {
	*Language
	*json.Decoder
	src []byte
	// at is where the last token begins, offset bytes from the begin of the text.
	at     Position
	offset int
	values int
	// twice is set once a duplicate key was found.
	twice bool
	add   Adder
}

var (
	errDepth  = errors.New("nested too deep")
	errValues = errors.New("too many values")
)

// next returns the next token, and moves the place to where it begins.
func (d *decoder) next() (json.Token, error) {
	to := int(d.InputOffset())
	for to < len(d.src) && strings.IndexByte(" \t\r\n,:", d.src[to]) >= 0 {
		to++
	}
	d.moveTo(to)
	return d.Token()
}

// moveTo moves the place to an offset.
func (d *decoder) moveTo(to int) {
	passed := d.src[d.offset:to]
	if lines := bytes.Count(passed, []byte("\n")); lines > 0 {
		d.at.Line, d.at.Column = d.at.Line+lines, 1
		passed = passed[bytes.LastIndexByte(passed, '\n')+1:]
	}
	d.at.Column += utf8.RuneCount(passed)
	d.offset = to
}

// broken reports why the text is not JSON.
func (d *decoder) broken(err error) {
	switch {
	case errors.Is(err, errDepth):
		d.add(d.at, "%v: allowed are up to %d levels", err, d.MaxDepth)
	case errors.Is(err, errValues):
		d.add(d.at, "%v: allowed are up to %d", err, d.MaxValues)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		d.moveTo(len(d.src))
		d.add(d.at, "not JSON: the file ends before its value does; is it cut off?")
	case d.offset == 0 && len(bytes.TrimSpace(d.src)) > 0 && !bytes.ContainsAny(bytes.TrimSpace(d.src)[:1], "{["):
		d.add(d.at, "not JSON, which begins with { or [: this file begins with %.20q", bytes.TrimSpace(d.src))
	default:
		d.add(d.at, "not JSON: %v", err)
	}
}

// value reads the next value.
func (d *decoder) value(depth int) (*Node, error) {
	read, err := d.next()
	switch {
	case err != nil:
		return nil, err
	case depth > d.MaxDepth:
		return nil, errDepth
	case d.values >= d.MaxValues:
		return nil, errValues
	}
	d.values++
	n := &Node{At: d.at}
	switch t := read.(type) {
	case json.Delim:
		if t == '{' {
			n.Kind = Mapping
			err = d.entries(n, depth)
		} else {
			n.Kind = Sequence
			err = d.items(n, depth)
		}
		if err == nil {
			_, err = d.next() // its end
		}
		return n, err
	case nil:
		return n, nil
	case string:
		n.Quoted = true
	}
	n.Kind, n.Text = Scalar, fmt.Sprint(read)
	return n, nil
}

func (d *decoder) items(list *Node, depth int) error {
	for d.More() {
		item, err := d.value(depth + 1)
		if err != nil {
			return err
		}
		list.Items = append(list.Items, item)
	}
	return nil
}

func (d *decoder) entries(mapping *Node, depth int) error {
	lines := map[string]int{}
	for d.More() {
		key, err := d.next()
		if err != nil {
			return err
		}
		e := Entry{Key: fmt.Sprint(key), At: d.at}
		if e.Value, err = d.value(depth + 1); err != nil {
			return err
		}
		if line, again := lines[e.Key]; again {
			d.twice = true
			d.add(e.At, "key %q is written twice: line %d has it already", Shorten(e.Key), line)
			continue
		}
		lines[e.Key] = e.At.Line
		mapping.Entries = append(mapping.Entries, e)
	}
	return nil
}
