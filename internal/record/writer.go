package record

import (
	"fmt"
	"io"
)

// WriteSample writes a sample to a file of positions in psv or hcpe.
func WriteSample(out io.Writer, f Format, s *Sample) error {
	switch f {
	case PSV:
		data, err := EncodePSV(s)
		if err != nil {
			return err
		}
		_, err = out.Write(data[:])
		return err
	case HCPE:
		data, err := EncodeHCPE(s)
		if err != nil {
			return err
		}
		_, err = out.Write(data[:])
		return err
	}
	return fmt.Errorf("positions cannot be written as %s", f)
}
