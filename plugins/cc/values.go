package cc

// MostValues is how many values an algorithm may name.
const MostValues = 8

// Value is a quantity of an algorithm's own that helps to see why a flow did what it did, such as
// the alpha of DCQCN. It is recorded and read by nothing that decides.
type Value struct {
	// Name is snake_case: lower case, digits and underscores.
	Name string
	// Unit is what the number counts, "Gb/s" or "us"; "" for a number without one.
	Unit string
	// Doc says in a line what the value is.
	Doc string
}

// Valued is a Sender with the values that its algorithm's Description names.
type Valued interface {
	Sender
	// Values puts the values into a slice of that length, in the order of the description, as the
	// last event left them. NaN says that there is none now; what is infinite counts as none. It is
	// called between events, as often as the host likes, and must change nothing.
	Values(into []float64)
}
