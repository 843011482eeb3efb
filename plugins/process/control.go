//go:build linux && !mem

package process

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/control"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
)

// configuration is the configuration of a program. A program that takes a stream does not have to read units.
func (p *Plugin) configuration(params cc.Params) (*control.Configuration, error) {
	made := &control.Configuration{Given: hosting.Written(params)}
	if _, streaming := p.link.carrier.(*stream); !streaming {
		return made, nil
	}
	complete, err := hosting.Parse(p.description, hosting.Written(params))
	if err != nil {
		return nil, err
	}
	for _, param := range p.description.Params {
		if param.Default == "" && !complete.Given(param.Name) {
			continue
		}
		value := &control.Value{Name: param.Name}
		switch param.Kind {
		case cc.KindDuration:
			value.Value = &control.Value_Whole{Whole: int64(complete.Duration(param.Name))}
		case cc.KindRate:
			value.Value = &control.Value_Whole{Whole: int64(complete.Rate(param.Name))}
		case cc.KindBytes:
			value.Value = &control.Value_Whole{Whole: int64(complete.Bytes(param.Name))}
		case cc.KindNumber:
			value.Value = &control.Value_Number{Number: complete.Number(param.Name)}
		case cc.KindChoice:
			value.Value = &control.Value_Word{Word: complete.Choice(param.Name)}
		case cc.KindSwitch:
			value.Value = &control.Value_On{On: complete.Switch(param.Name)}
		}
		made.Values = append(made.Values, value)
	}
	return made, nil
}

// signals is the host's reading of what a controller needs.
func signals(configured *control.Configured) (asked cc.Signals) {
	control.SignalFields.Take(configured, &asked) // refuses own extensions alone, and there is none
	return asked
}
