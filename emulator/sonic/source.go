package sonic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/textfile"
)

// MaxSource bounds a configuration in bytes: one of 1024 ports has less than a tenth of it.
const MaxSource = 32 << 20

const (
	// maxDepth bounds how deep values lie within each other; a configuration has four levels.
	maxDepth = 16
	// maxValues bounds how many values there are, and with them the memory that they take.
	maxValues = 1 << 20
)

// maxProblems is how many problems of a file are said.
const maxProblems = 100

// value is a value of the file.
type value struct {
	// key is what it has in its parent, which is nil for the whole.
	key    string
	parent *value
	// offset is where it begins, in bytes.
	offset int
	kind   valueKind
	// text is what a single value says.
	text string
	// members are an object's, in the order of the file; items are a list's.
	members []member
	items   []*value
	// line is what is said of a single value; nil for what nothing was said of yet.
	line *conversion.Line
}

type member struct {
	key    string
	offset int
	value  *value
}

type valueKind uint8

const (
	single valueKind = iota
	object
	list
	null
)

var kindNames = [...]string{"a text", "an object", "a list", "null"}

// path is where the value is in the file, as a JSON pointer.
func (v *value) path() string {
	if v.parent == nil {
		return ""
	}
	return v.parent.path() + pointer(v.key)
}

// child returns the value of an object's key, nil if it has none.
func (v *value) child(key string) *value {
	if v == nil {
		return nil
	}
	for _, m := range v.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// problems collects what is wrong with a file.
type problems struct {
	file string
	text []byte
	list scenario.Errors
	// at are the offsets of the list.
	at []int
}

// add places a problem at a value, whose path the message begins with.
func (p *problems) add(at *value, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if path := at.path(); path != "" {
		message = shorten(path) + ": " + message
	}
	p.addAt(at.offset, message)
}

func (p *problems) addAt(offset int, message string) {
	if len(p.list) >= maxProblems {
		return
	}
	before := p.text[:min(offset, len(p.text))]
	begin := bytes.LastIndexByte(before, '\n') + 1
	p.list = append(p.list, &scenario.Error{
		File:    p.file,
		Line:    bytes.Count(before, []byte{'\n'}) + 1,
		Column:  utf8.RuneCount(before[begin:]) + 1,
		Message: message,
	})
	p.at = append(p.at, offset)
}

// err returns the problems in the order of the file; nil if there are none.
func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	sort.Stable(p)
	return p.list
}

func (p *problems) Len() int           { return len(p.list) }
func (p *problems) Less(i, j int) bool { return p.at[i] < p.at[j] }
func (p *problems) Swap(i, j int) {
	p.list[i], p.list[j] = p.list[j], p.list[i]
	p.at[i], p.at[j] = p.at[j], p.at[i]
}

// shorten keeps what is quoted in a message readable.
func shorten(text string) string {
	if r := []rune(text); len(r) > 120 {
		return string(r[:117]) + "..."
	}
	return text
}

// parse reads the JSON of a configuration; nil if it is none, and problems says why.
func parse(p *problems) *value {
	text, err := textfile.UTF8(p.text)
	if err != nil {
		p.addAt(0, err.Error())
		return nil
	}
	p.text = text
	if len(text) > MaxSource {
		p.addAt(0, fmt.Sprintf("more than %d bytes: allowed are up to that many", MaxSource))
		return nil
	}
	d := parser{problems: p, decoder: json.NewDecoder(bytes.NewReader(text))}
	d.decoder.UseNumber()
	token, at, err := d.next()
	if err != nil {
		d.broken(err)
		return nil
	}
	root, err := d.value(token, &value{offset: at}, 0)
	if err != nil {
		d.broken(err)
		return nil
	}
	if _, at, err = d.next(); err == nil || !errors.Is(err, io.EOF) {
		p.addAt(at, "something follows the configuration: a file has one object")
	} else if root.kind != object {
		p.addAt(root.offset, "a configuration is an object of tables, not "+kindNames[root.kind])
	}
	if len(p.list) > 0 {
		return nil
	}
	return root
}

// parser reads JSON with places, and refuses what encoding/json lets pass: a key written twice.
type parser struct {
	problems *problems
	decoder  *json.Decoder
	values   int
	// last is where the last token begins.
	last int
}

// errDepth and errValues end the reading of what is too much.
var (
	errDepth  = fmt.Errorf("nested too deep: allowed are up to %d levels", maxDepth)
	errValues = fmt.Errorf("too many values: allowed are up to %d", maxValues)
)

// next returns the next token and the offset at which it begins.
func (d *parser) next() (json.Token, int, error) {
	at := int(d.decoder.InputOffset())
	for at < len(d.problems.text) && strings.IndexByte(" \t\r\n,:", d.problems.text[at]) >= 0 {
		at++
	}
	d.last = at
	token, err := d.decoder.Token()
	return token, at, err
}

// broken says why the text is no JSON.
func (d *parser) broken(err error) {
	at, message := d.last, ""
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		message = "no JSON: " + err.Error()
	case errors.Is(err, errDepth), errors.Is(err, errValues):
		message = err.Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		at, message = len(d.problems.text), "no JSON: the file ends before its object does; is it cut off?"
	default:
		message = "no JSON: " + err.Error()
	}
	d.problems.addAt(at, message)
}

// value reads what begins with a token into v, which knows its place.
func (d *parser) value(token json.Token, v *value, depth int) (*value, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	if d.values++; d.values > maxValues {
		return nil, errValues
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			v.kind = object
			return v, d.members(v, depth)
		}
		v.kind = list
		for d.decoder.More() {
			token, at, err := d.next()
			if err != nil {
				return nil, err
			}
			item, err := d.value(token, &value{key: strconv.Itoa(len(v.items)), parent: v, offset: at}, depth+1)
			if err != nil {
				return nil, err
			}
			v.items = append(v.items, item)
		}
		_, _, err := d.next()
		return v, err
	case nil:
		v.kind = null
	default:
		v.text = fmt.Sprint(t)
	}
	return v, nil
}

func (d *parser) members(v *value, depth int) error {
	first := map[string]int{}
	for d.decoder.More() {
		key, keyAt, err := d.next()
		if err != nil {
			return err
		}
		name := fmt.Sprint(key)
		token, at, err := d.next()
		if err != nil {
			return err
		}
		child, err := d.value(token, &value{key: name, parent: v, offset: at}, depth+1)
		if err != nil {
			return err
		}
		if before, twice := first[name]; twice {
			line := bytes.Count(d.problems.text[:before], []byte{'\n'}) + 1
			d.problems.addAt(keyAt, fmt.Sprintf("%s is written twice: line %d has it already", shorten(child.path()), line))
			continue
		}
		first[name] = keyAt
		v.members = append(v.members, member{name, keyAt, child})
	}
	_, _, err := d.next()
	return err
}
