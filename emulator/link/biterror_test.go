package link

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
)

// frameOf returns a data packet of a length.
func frameOf(t *testing.T, length int) *wire.Frame {
	t.Helper()
	var empty wire.Frame
	empty.EtherType, empty.Opcode = wire.EtherTypeIPv4, wire.WriteMiddle
	frame := empty
	frame.SetPayload(length - int(empty.Len()))
	if int(frame.Len()) != length {
		t.Fatalf("a frame of %v, want %d", frame.Len(), length)
	}
	return &frame
}

// Bit errors lose a frame of L bytes with 1 - (1 - BER)^(8 L): of a million frames of 1098 and of 86 bytes
// as many as that, within three sigma of the binomial distribution.
func TestBitErrorsLoseLongFramesMoreOften(t *testing.T) {
	const frames, ratio = 1e6, 1e-7
	for _, length := range []int{1098, 86} {
		t.Run(fmt.Sprintf("length=%v", length), func(t *testing.T) {
			frame, lost := frameOf(t, length), 0
			f := NewFaults(&fabric.Attachment{BER: ratio}, 1, "x")
			for range int(frames) {
				if f.Lost(frame, 0) == fabric.DropLinkLoss {
					lost++
				}
			}
			p := -math.Expm1(8 * float64(length) * math.Log1p(-ratio))
			mean, sigma := p*frames, math.Sqrt(frames*p*(1-p))
			if math.Abs(float64(lost)-mean) > 3*sigma {
				t.Errorf("%d of %g frames of %d B are lost, want %.1f and at most %.1f off", lost, frames, length, mean, 3*sigma)
			}
		})
	}
}

// The probability is right to the last digits where 1 - BER would lose them, and does not exceed 1.
func TestBitErrorsOfSmallRatios(t *testing.T) {
	for _, ratio := range []float64{1e-17, 1e-12, 3e-9, 1e-4, 0.5, 1} {
		t.Run(fmt.Sprintf("ratio=%v", ratio), func(t *testing.T) {
			e := bitErrors{rate: ratio}
			got := e.of(frameOf(t, 1058))
			left := new(big.Float).SetPrec(600).Sub(big.NewFloat(1).SetPrec(600), big.NewFloat(ratio))
			product := big.NewFloat(1).SetPrec(600)
			for range 8 * 1058 {
				product.Mul(product, left)
			}
			want, _ := product.Sub(big.NewFloat(1).SetPrec(600), product).Float64()
			if math.Abs(got-want) > 1e-14*want {
				t.Errorf("a ratio of %g loses %g, want %g", ratio, got, want)
			}
		})
	}
}

// Bit errors and a loss rate are independent of each other, and a loss of one kind of frames leaves the others to
// the bit errors.
func TestBitErrorsBesideLoss(t *testing.T) {
	frame, lost := frameOf(t, 1058), 0
	f := NewFaults(&fabric.Attachment{Loss: 1, LossOf: fabric.AckFrames, BER: 1e-4}, 1, "x")
	for range 4000 {
		if f.Lost(frame, 0) == fabric.DropLinkLoss {
			lost++
		}
	}
	// 1 - (1 - 1e-4)^8464 is 0.571, and five sigma of 4000 frames are 156.
	if lost < 2127 || lost > 2440 {
		t.Errorf("%d of 4000 data packets are lost, want some 2284", lost)
	}
	both := NewFaults(&fabric.Attachment{Loss: 0.5, BER: 1e-4}, 1, "x")
	lost = 0
	for range 4000 {
		if both.Lost(frame, 0) == fabric.DropLinkLoss {
			lost++
		}
	}
	if lost < 3014 || lost > 3270 { // 0.7855, and five sigma are 130
		t.Errorf("%d of 4000 packets are lost, want some 3142", lost)
	}
}
