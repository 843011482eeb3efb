// Package report makes a page of run folders: one HTML file that needs nothing
// else, no network and no server.
//
// A page is made only from the files of run folders, so that each of its numbers is a cell of a CSV file, a value of
// summary.json, or computed from these as described beside it. The attribute data-from of a number has its place:
//
//	FILE#KEY/COLUMN
//	dcqcn/summary.json#metrics/fct_p99_us
//	dcqcn/queues.csv#node=s0&port=16&queue=3/depth_max_bytes
//
// FILE is in the run folder, and begins with the folder's name if the page covers several; KEY is the cells that find
// the row, with values escaped as in the query of an address; COLUMN follows the last slash. With two places, a space
// between them, the number is their mean.
//
// A page refuses foreign content: its content security policy allows its own script and style, by their SHA-256, and
// nothing else.
package report
