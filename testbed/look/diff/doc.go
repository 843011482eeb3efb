// Package diff compares the runs of two run folders and finds the first frame by which two of them differ.
//
// It begins with what is in the folders: inputs, builds, algorithms, metrics. Each run has trace.csv, its hash at
// up to 512 instants, so the last instant at which two runs were equal, and the first at which they were not, are
// known without a run. Between the two lies the span in which they part. To find the frame, both runs are made
// again in memory up to the end of that span. Each is a Half: it keeps what its nodes sent and dropped in the
// span, cut into short chunks, and says of each chunk a hash a node. As long as the hashes of two halves are equal
// both go on; where they are not, the frames of the nodes that part are asked for, and compared one by one.
//
// A half is asked over a pair of pipes, by lines of JSON. So it is all the same whether it runs in this process or
// in another program, that of another build.
//
// Contract. The comparison is exact: frames are the same if they left or were dropped at the same picosecond, at
// the same port, with the same bytes. What was made again is held to the instants of its folder up to the end of
// the span; where it has other hashes, that is told, and no frame is. The half of an untrusted program can tell
// nonsense, and can neither crash nor block this one for longer than it runs.
//
// Limits. What a node notes in its trace beside frames, a flow's completion and what comes and goes at an edge, is
// in the hashes of the folders and not in those of chunks: it follows from frames. A half runs on one worker.
package diff
