// Package diff compares the runs of two run folders and finds the first frame that differs between two of them.
//
// It begins with the content of the folders: inputs, builds, algorithms, metrics. Each run has trace.csv, its hash at
// up to 512 instants, so the last instant at which two runs were equal, and the first at which they were not, are known
// without a run. Between the two lies the span in which they part. To find the frame, both runs are made again in
// memory up to the end of that span. Each is a Half: it keeps the frames that its nodes sent and dropped in the span,
// cut into short chunks, and reports for each chunk a hash per node. As long as the hashes of two halves are equal both
// go on; once they are not, the frames of the nodes that part are requested, and compared one by one.
//
// A half is asked over a pair of pipes, by lines of JSON. So it is all the same whether it runs in this process or
// in another program, that of another build.
//
// Contract. The comparison is exact: frames are the same if they left or were dropped at the same picosecond, at the
// same port, with the same bytes. A repeated run is compared with the instants of its folder up to the end of the span;
// if its hashes differ, that is reported in place of a frame. The half of an untrusted program can report nonsense, and
// can neither crash nor block this one for longer than it runs.
//
// Limits. Events that a node records in its trace beside frames, a flow's completion and frames that come and go at an
// edge, are in the hashes of the folders and not in the hashes of chunks: they follow from frames. A half runs on one
// worker.
package diff
