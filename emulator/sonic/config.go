package sonic

import "encoding/json"

// Config is a configuration as CONFIG_DB has it: fields by table and entry. An entry of a
// table by port and queue is "Ethernet0|3-4".
type Config map[string]map[string]map[string]string

// set gives a field of an entry its value.
func (c Config) set(table, entry, field, value string) {
	if c[table] == nil {
		c[table] = map[string]map[string]string{}
	}
	if c[table][entry] == nil {
		c[table][entry] = map[string]string{}
	}
	c[table][entry][field] = value
}

// JSON returns the text of config_db.json: tables, entries and fields in the order of the
// alphabet, four spaces a level.
func (c Config) JSON() []byte {
	text, err := json.MarshalIndent(c, "", "    ")
	if err != nil {
		panic(err) // maps of texts always encode
	}
	return append(text, '\n')
}
