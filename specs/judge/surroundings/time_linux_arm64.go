package surroundings

// callTime is the system call time, which this processor has none of: a number that
// none has.
const callTime = 1<<31 - 1
