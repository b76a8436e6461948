package record

import "fmt"

// AppendSample appends a sample as a record of psv or hcpe. The position must have both kings.
func AppendSample(b []byte, f Format, s *Sample) ([]byte, error) {
	switch f {
	case PSV:
		data, err := EncodePSV(s)
		if err != nil {
			return b, err
		}
		return append(b, data[:]...), nil
	case HCPE:
		data, err := EncodeHCPE(s)
		if err != nil {
			return b, err
		}
		return append(b, data[:]...), nil
	}
	return b, fmt.Errorf("positions cannot be written as %s", f)
}
