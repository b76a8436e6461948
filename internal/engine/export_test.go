package engine

// SetMachineMB pretends that the machine has this much memory for a tree.
func (e *Engine) SetMachineMB(mb int64) { e.machineMB = mb }
