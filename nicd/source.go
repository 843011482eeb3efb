package nicd

// Source has the configurations of a NIC's ends of flows. A run may have a million, few of them under way at a time, so
// that a NIC asks for one when the end begins, and again when a late frame arrives. It returns the added configuration,
// but Chance may be nil. The QP is that of a sending and of a receiving end.
type Source interface {
	Sender(qp uint32) *SenderConfig
	Receiver(qp uint32) *ReceiverConfig
}

// kept is the source of a NIC that was made without one.
type kept struct {
	senders   map[uint32]*SenderConfig
	receivers map[uint32]*ReceiverConfig
}

// sourceOr returns the source, one that keeps configurations if there is none.
func sourceOr(source Source) Source {
	if source == nil {
		return &kept{map[uint32]*SenderConfig{}, map[uint32]*ReceiverConfig{}}
	}
	return source
}

func (k *kept) Sender(qp uint32) *SenderConfig     { return k.senders[qp] }
func (k *kept) Receiver(qp uint32) *ReceiverConfig { return k.receivers[qp] }

// keepSender keeps a configuration if the NIC's source does not have it.
func keepSender(n *NIC, config *SenderConfig) {
	if k, ok := n.source.(*kept); ok {
		one := *config
		k.senders[config.QP] = &one
	}
}

// keepReceiver is keepSender for a receiving end.
func keepReceiver(n *NIC, config *ReceiverConfig) {
	if k, ok := n.source.(*kept); ok {
		one := *config
		k.receivers[config.QP] = &one
	}
}

// senderConfig is the configuration of the sending end behind the QP at index.
func senderConfig(n *NIC, index uint32) *SenderConfig { return n.source.Sender(FirstQP + index) }

// receiverConfig is the configuration of the receiving end behind the QP at index.
func receiverConfig(n *NIC, index uint32) *ReceiverConfig { return n.source.Receiver(FirstQP + index) }
