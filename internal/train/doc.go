// Package train trains the policy net and the value net on records of games.
//
// Words: a table is a matrix of weights, row after row; most rows are touched by few positions, so gradients and the optimiser
// work by rows. A batch is the positions between two steps of the optimiser. A shard is the part of a batch that one worker
// handles.
//
//	records ─ Load ─► Data ─ order of the epoch ─► batches
//	                            shard 0: decode, features, forward, backward ─► gradient 0 ─┐
//	                            shard 1: decode, features, forward, backward ─► gradient 1 ─┴─► sum by rows, Adam ─► weights
//
// Records stay packed in memory and features are made anew each time, by the packages policy and value themselves. Everything
// random depends on the seed, the epoch and the place in the epoch, and gradients are summed in the order of the shards. So a run
// gives the same net each time for a number of workers, also when it is interrupted and continued from a checkpoint.
package train
