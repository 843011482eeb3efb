package reproduce

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// Registry has the claims of sources, sentence by sentence, and beside them further demands on rows that are not in a
// source. Only the claims are scored.
type Registry struct {
	// Claims are sentences of sources, Apart the entries listed beside them.
	Claims, Apart []*Entry
}

// Entry is a sentence of a source with the criteria that judge it, or criteria that are not in a source.
type Entry struct {
	// ID names it, such as "F6a RTT"; no two entries have one.
	ID string `json:"id"`
	// Source is the name of the paper, Place its section, figure or table, and Quote the sentence, word for word.
	// Also are other places that say the same, quoted too.
	Source string   `json:"source,omitempty"`
	Place  string   `json:"place,omitempty"`
	Quote  string   `json:"quote,omitempty"`
	Also   []string `json:"also,omitempty"`
	// Number is the number as it is printed, "" for none.
	Number string     `json:"number,omitempty"`
	Grade  claimGrade `json:"grade,omitempty"`
	// Kind is the kind of an entry of Apart.
	Kind kind `json:"kind,omitempty"`
	// Row is where it is judged, "" for nowhere. Size is the size that counts, and Seeds how many it is to have there.
	Row   string `json:"row,omitempty"`
	Size  string `json:"size,omitempty"`
	Seeds int    `json:"seeds,omitempty"`
	// Criteria are the conditions, all of which must hold.
	Criteria []Criterion `json:"criteria,omitempty"`
	// Date is the day on which its criteria got their present form, such as "2026-11-27".
	Date string `json:"date"`
	// Untestable is the reason why it cannot be judged here, Owed the part that is missing until it can.
	Untestable string `json:"untestable,omitempty"`
	Owed       string `json:"owed,omitempty"`
	// Note is a warning for readers of the outcome, such as that a criterion is softer than its sentence.
	Note string `json:"note,omitempty"`
}

// claimGrade is the degree of a sentence's claim.
type claimGrade string

// The grades: a number that is printed, more or less than something else, or neither.
const (
	printedNumber claimGrade = "printed number"
	inequality    claimGrade = "inequality"
	qualitative   claimGrade = "qualitative"
)

var claimGrades = []string{string(printedNumber), string(inequality), string(qualitative)}

// kind is the kind of an entry of Apart.
type kind string

// The kinds: a control of set-up or opponents; an invariant of our own code; a demand of ours and not a source's; a
// claim in another set-up than its source's; a softer or second form of a claim.
const (
	control   kind = "control"
	invariant kind = "invariant"
	extension kind = "extension"
	elsewhere kind = "set-up"
	twin      kind = "twin"
)

var kinds = []string{string(control), string(invariant), string(extension), string(elsewhere), string(twin)}

// hashDigits is the kept number of digits of a hash.
const hashDigits = 12

// Hash covers all fields of an entry except the reason of a miss, which is written after the figures are known.
func (e *Entry) Hash() string {
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // strings and numbers
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])[:hashDigits]
}

// Counts reports whether the entry is scored.
func (e *Entry) Counts() bool { return e.Kind == "" }

// entries are all, claims first.
func (r *Registry) entries() []*Entry { return slices.Concat(r.Claims, r.Apart) }

// Of are the criteria of a row, claims first.
func (r *Registry) Of(row string) (list []Criterion) {
	for _, entry := range r.entries() {
		if entry.Row == row {
			list = append(list, entry.Criteria...)
		}
	}
	return list
}

// With are rows with the criteria that a registry has of them.
func (r *Registry) With(rows []*Row) (list []*Row) {
	for _, row := range rows {
		judged := *row
		judged.Criteria = r.Of(row.ID)
		list = append(list, &judged)
	}
	return list
}
