package cc

// MostValues is the maximum number of values that an algorithm may name.
const MostValues = 8

// Value is a quantity of an algorithm's own that helps to see why a flow did what it did, such as
// the alpha of DCQCN. It is recorded and read by nothing that decides.
type Value struct {
	// Name is snake_case: lower case, digits and underscores.
	Name string
	// Unit is the unit of the number, "Gb/s" or "us"; "" for a number without one.
	Unit string
	// Doc describes the value in one line.
	Doc string
}

// Valued is a Sender with the values that its algorithm's Description names.
type Valued interface {
	Sender
	// Values writes the values into a slice of the right length, in the order of the description, as the last event
	// left them. NaN stands for a value that does not exist now, and so does an infinite one. It is called between
	// events, as often as the host likes, and must not change anything.
	Values(into []float64)
}
