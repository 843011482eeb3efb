package mem

import "time"

// Often returns the options with reports of progress as often as can be.
func Often(o Options) Options {
	o.period = time.Microsecond
	return o
}
