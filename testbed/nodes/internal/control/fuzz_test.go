package control

import (
	"encoding/binary"
	"net"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// For any bytes, a message matches its head, or is an error; it takes no more memory than the bytes that came. Tier:
// -short.
func FuzzControl(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 0, 2, 0, 0, 0, 0, 'h', 'i'})
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 1, 1})
	f.Add([]byte{0x3f, 0xff, 0xff, 0xff, 0, 0, 0, 0, 'x'})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, sent []byte) {
		const most = 1 << 12
		if len(sent) > most {
			return
		}
		fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		var ends [2]*net.UnixConn
		for i, fd := range fds {
			file := os.NewFile(uintptr(fd), "end")
			c, err := net.FileConn(file)
			file.Close()
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			ends[i] = c.(*net.UnixConn)
		}
		if _, err := ends[0].Write(sent); err != nil {
			t.Fatal(err)
		}
		ends[0].Close()
		message, files, err := (&Conn{UnixConn: ends[1]}).Receive(most, 1)
		defer Close(files)
		if err != nil {
			return
		}
		if len(files) > 0 {
			t.Error("files came out of nothing")
		}
		if want := binary.BigEndian.Uint32(sent); uint32(len(message)) != want {
			t.Errorf("a message of %d B, its head says %d", len(message), want)
		}
	})
}
