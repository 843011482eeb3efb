package control

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// MaxLength and MaxFiles bound what any message holds.
const (
	MaxLength = 1 << 30
	MaxFiles  = 1 << 16
)

// filesAtOnce is below the kernel's SCM_MAX_FD of 253.
const filesAtOnce = 200

// Conn is one end of a connection. Its methods are for one goroutine each way.
type Conn struct {
	*net.UnixConn
	asks   bool
	sender int
}

// Dial connects to the socket at path.
func Dial(path string) (*Conn, error) {
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	return &Conn{UnixConn: c}, nil
}

// AskSender has Receive learn from the kernel who sent a message (SO_PASSCRED in unix(7)). It is
// called before the other end has anything to send.
func (c *Conn) AskSender() error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var refused error
	err = raw.Control(func(fd uintptr) {
		refused = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_PASSCRED, 1)
	})
	c.asks = true
	return errors.Join(err, refused)
}

// Sender returns the process that sent the last message, as this process sees it; 0 if AskSender was not called, or
// this process cannot see it.
func (c *Conn) Sender() (pid int) { return c.sender }

// Send sends a message and duplicates of files.
func (c *Conn) Send(message []byte, files ...*os.File) error {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(message)))
	head = binary.BigEndian.AppendUint32(head, uint32(len(files)))
	if _, err := c.Write(append(head, message...)); err != nil {
		return err
	}
	for len(files) > 0 {
		n := min(len(files), filesAtOnce)
		fds := make([]int, n)
		for i, f := range files[:n] {
			fds[i] = int(f.Fd())
		}
		if _, _, err := c.WriteMsgUnix([]byte{byte(n)}, unix.UnixRights(fds...), nil); err != nil {
			return err
		}
		files = files[n:]
	}
	return nil
}

// Receive returns the next message and its files, within the given bounds of bytes and of files. io.EOF means that the
// other end is gone.
func (c *Conn) Receive(mostBytes, mostFiles int) (message []byte, files []*os.File, err error) {
	var head [8]byte
	if err := c.receiveHead(head[:]); err != nil {
		if errors.Is(err, unix.ECONNRESET) {
			err = io.EOF
		}
		return nil, nil, err
	}
	length, count := int(binary.BigEndian.Uint32(head[:])), int(binary.BigEndian.Uint32(head[4:]))
	if length > mostBytes || count > mostFiles {
		return nil, nil, fmt.Errorf("control message of %d B with %d files: allowed are %d and %d", length, count,
			mostBytes, mostFiles)
	}
	// Room is made as the bytes come: a length by itself does not take memory.
	var room bytes.Buffer
	if _, err := io.CopyN(&room, c, int64(length)); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, nil, err
	}
	message = room.Bytes()
	for len(files) < count {
		more, err := c.receiveFiles(min(filesAtOnce, count-len(files)))
		files = append(files, more...)
		if err != nil {
			Close(files)
			return nil, nil, err
		}
	}
	return message, files, nil
}

// receiveHead takes the first bytes of a message, and who sent them.
func (c *Conn) receiveHead(head []byte) error {
	if !c.asks {
		_, err := io.ReadFull(c, head)
		return err
	}
	room := make([]byte, unix.CmsgSpace(unix.SizeofUcred))
	got, control, _, _, err := c.ReadMsgUnix(head, room)
	if errors.Is(err, io.EOF) {
		return io.EOF
	} else if err != nil {
		return err
	}
	messages, err := unix.ParseSocketControlMessage(room[:control])
	if err != nil {
		return err
	}
	c.sender = 0
	for i := range messages {
		if from, err := unix.ParseUnixCredentials(&messages[i]); err == nil {
			c.sender = int(from.Pid)
		}
	}
	_, err = io.ReadFull(c, head[got:])
	return err
}

// receiveFiles takes one batch of n files.
func (c *Conn) receiveFiles(n int) (files []*os.File, err error) {
	var b [1]byte
	room := make([]byte, unix.CmsgSpace(4*n))
	got, control, _, _, err := c.ReadMsgUnix(b[:], room)
	if err != nil {
		return nil, err
	}
	messages, err := unix.ParseSocketControlMessage(room[:control])
	if err != nil {
		return nil, err
	}
	for i := range messages {
		fds, err := unix.ParseUnixRights(&messages[i])
		if err != nil {
			return files, err
		}
		for _, fd := range fds {
			unix.CloseOnExec(fd)
			// A descriptor that does not block would be watched by the Go
			// runtime, which then wakes for every frame of a packet socket.
			if err := unix.SetNonblock(fd, false); err != nil {
				return files, err
			}
			files = append(files, os.NewFile(uintptr(fd), "passed"))
		}
	}
	if got != 1 || len(files) != n {
		return files, fmt.Errorf("%d of %d files came through: is the limit of open files too low?", len(files), n)
	}
	return files, nil
}

// Close closes files.
func Close(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
