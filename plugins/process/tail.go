package process

import (
	"bytes"
	"sync"
)

// Tail keeps the end of the output written to it. Several goroutines may use it.
type Tail struct {
	mu   sync.Mutex
	size int
	kept []byte
}

// NewTail returns a tail of at most size bytes, at least 1.
func NewTail(size int) *Tail { return &Tail{size: size} }

// Write implements io.Writer. It never fails.
func (t *Tail) Write(output []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, output...)
	if over := len(t.kept) - t.size; over > t.size { // not at each write: it copies
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(output), nil
}

// Bytes returns a copy of the kept bytes.
func (t *Tail) Bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.kept[max(0, len(t.kept)-t.size):])
}
