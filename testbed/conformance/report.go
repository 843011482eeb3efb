package conformance

// Result is what came of a check.
type Result string

// The results. A report fails with Miss alone.
const (
	Pass       Result = "pass"
	Miss       Result = "miss"
	Documented Result = "documented miss"
	NotChecked Result = "not checked"
	Exempt     Result = "exempt"
	// Reported is a figure without a bound.
	Reported Result = "reported"
)

// Row is a check and what came of it.
type Row struct {
	Check  string `json:"check"`
	Result Result `json:"result"`
	// Figure is what was measured, Allowed what it is held against; Remark
	// says what is wrong, or what the figure is of.
	Figure  string `json:"figure"`
	Allowed string `json:"allowed"`
	Remark  string `json:"remark"`
}

// Report is what came of all checks.
type Report struct {
	Algorithm string `json:"algorithm"`
	Version   string `json:"version"`
	// Form is where the algorithm is: "built in", or its program.
	Form string `json:"form"`
	// Uncontrolled tells that it declares not to react to congestion.
	Uncontrolled bool  `json:"uncontrolled"`
	Checks       []Row `json:"checks"`
}

// Passed tells whether no check was missed, but for documented reasons.
func (r *Report) Passed() bool {
	for i := range r.Checks {
		if r.Checks[i].Result == Miss {
			return false
		}
	}
	return true
}

// Find returns the row of a check, nil if it was not asked for.
func (r *Report) Find(check string) *Row {
	for i := range r.Checks {
		if r.Checks[i].Check == check {
			return &r.Checks[i]
		}
	}
	return nil
}
