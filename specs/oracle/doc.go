// Package oracle holds the metrics of a run to an account of their own: from every frame that left or was
// dropped, with its port and picosecond, and from what the scenario asked for, naive code works out each metric
// again, with lists, sorting and division. It shares no code with emulator/result and emulator/record, which make
// the metrics that are printed.
//
// The table in table_test.go has a row a metric. A metric without a row fails a test, and so does an exported
// number of the summary that no row reads. A few rows have another source than frames; they say which, and why.
package oracle
