package tune

// Record is an answer as JSON has it.
type Record struct {
	// Nothing says why there is no advice.
	Nothing string `json:"nothing,omitempty"`
	// Recommended are the values of the advice by key; null without advice.
	Recommended map[string]string `json:"recommended"`
	// Facts are what follows from them, in words.
	Facts      []string `json:"facts,omitempty"`
	Runs       int      `json:"runs"`
	Slack      float64  `json:"slack"`
	Objectives []string `json:"objectives"`
	// Seen and Unseen are the candidates with their scores, on what the search saw and on
	// what it did not.
	Patterns       []string          `json:"patterns"`
	Seeds          []uint64          `json:"seeds"`
	Seen           []RecordCandidate `json:"seen"`
	UnseenPatterns []string          `json:"unseen_patterns"`
	UnseenSeeds    []uint64          `json:"unseen_seeds"`
	Unseen         []RecordCandidate `json:"unseen"`
	// Excess is how far behind the front the advice lies on what was not seen, Held whether
	// that is within Within; null without a check.
	Excess *float64 `json:"excess"`
	Held   *bool    `json:"held"`
	// Sides are the candidates one step beside the advice, with the change of each score.
	Sides    []RecordSide `json:"sides"`
	Bad      []string     `json:"bad,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`
}

// RecordCandidate is a candidate and its scores by objective; null for one whose runs count
// for nothing.
type RecordCandidate struct {
	Name     string            `json:"name"`
	Settings map[string]string `json:"settings"`
	Role     string            `json:"role"`
	Score    Score             `json:"score"`
}

// RecordSide is a candidate beside the advice.
type RecordSide struct {
	Name   string    `json:"name"`
	Change []float64 `json:"change"`
}

// Record returns the answer for JSON.
func (a *Answer) Record(facts, warnings []string) *Record {
	s := a.search
	r := &Record{
		Nothing:     a.Nothing,
		Facts:       facts,
		Runs:        a.Runs,
		Slack:       s.Slack,
		Seeds:       s.Seeds,
		UnseenSeeds: s.UnseenSeeds,
		Bad:         a.Bad,
		Warnings:    warnings,
	}
	for i := range s.Objectives {
		r.Objectives = append(r.Objectives, s.Objectives[i].Metric.Name)
	}
	for _, p := range s.Patterns {
		r.Patterns = append(r.Patterns, p.Name)
	}
	for _, p := range s.Unseen {
		r.UnseenPatterns = append(r.UnseenPatterns, p.Name)
	}
	if a.Advice() == nil {
		return r
	}
	r.Recommended = settingsOf(a.Advice())
	list := func(of Scored) (out []RecordCandidate) {
		for _, i := range a.shown(of) {
			out = append(out, RecordCandidate{a.all[i].Name, settingsOf(&a.all[i]), a.role(i), of.Scores[i]})
		}
		return out
	}
	r.Seen, r.Unseen = list(a.Seen), list(a.Unseen)
	for _, side := range a.Sides {
		r.Sides = append(r.Sides, RecordSide{a.all[side.Place].Name, side.Change})
	}
	if a.Checked {
		held := !a.Missed()
		r.Excess, r.Held = &a.Excess, &held
	}
	return r
}

func settingsOf(c *Candidate) map[string]string {
	values := map[string]string{}
	for _, s := range c.Settings {
		values[s.Path] = s.Text
	}
	return values
}
