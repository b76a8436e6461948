package alphabeta

import (
	_ "embed" // the default weights
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yomi-shogi/yomi/shogi"
)

// Feature is one of the named parts that an evaluation is the sum of.
type Feature uint8

// The features.
const (
	// FeatureMaterial is the pieces on the board.
	FeatureMaterial Feature = iota
	// FeatureHand is the pieces in hand.
	FeatureHand
	// FeaturePieceSquare is where pieces stand: a bonus by rank and one by file.
	FeaturePieceSquare
	// FeatureCentre is attacks on the nine squares in the middle, and pieces there.
	FeatureCentre
	// FeatureKingZone is attacks on the squares around the enemy king.
	FeatureKingZone
	// FeatureKingSafety is the squares around the own king: attacked, exposed, occupied.
	FeatureKingSafety
	// FeatureThreats is the best capture of either side.
	FeatureThreats
	// FeatureMobility is the squares that pieces can go to.
	FeatureMobility
	// FeatureSideBonus is having the move.
	FeatureSideBonus
	// NumFeatures is the number of features.
	NumFeatures
)

var featureNames = []string{"material", "hand", "piece_square", "centre", "king_zone", "king_safety", "threats", "mobility", "side_bonus"}

// String returns the feature's name.
func (f Feature) String() string { return featureNames[f] }

// FeatureNames returns the names of all features.
func FeatureNames() []string { return slices.Clone(featureNames) }

// Weights are the numbers of the feature evaluation, in hundredths of a pawn where nothing else is said.
type Weights struct {
	// Feature[f] is how much feature f counts in the opening and in the ending, in thousandths.
	Feature [NumFeatures][2]int
	// Piece and Hand are by piece type, on the board and in hand.
	Piece, Hand [shogi.NumPieceTypes]int
	// Rank and File are bonuses by type and by rank and file as the owner sees them, from 0.
	Rank, File [shogi.NumPieceTypes][9]int
	// CentreAttack and CentrePiece are for a square of the centre attacked and occupied.
	CentreAttack, CentrePiece int
	// KingZone is for an attacked square around the enemy king, by the attacker's type.
	KingZone [shogi.NumPieceTypes]int
	// Attacked, Exposed and Home are for a square around the own king.
	Attacked, Exposed, Home int
	// OwnThreat and EnemyThreat are percents of the best capture of the side to move and of the other.
	OwnThreat, EnemyThreat int
	// Mobility is for a square that a piece of the type can go to.
	Mobility  [shogi.NumPieceTypes]int
	SideBonus int
	// PhaseHand and PhasePromoted are what a piece (not a pawn) in hand and a promoted piece add to the phase.
	PhaseHand, PhasePromoted int
}

// Limits of the numbers in a weights file, so that no sum overflows.
const (
	maxWeight        = 100_000
	maxPiece         = 5_000
	fullPhase        = 256
	weightUnit       = 1000
	weightPercentage = 100
)

//go:embed weights.txt
var defaultWeights string

// DefaultWeights returns the weights that the binary carries.
func DefaultWeights() *Weights {
	w, err := ParseWeights(defaultWeights)
	if err != nil {
		panic("alphabeta: the embedded weights are bad: " + err.Error())
	}
	return w
}

// WeightsText returns the embedded weights file, with its comments: a start for one's own.
func WeightsText() string { return defaultWeights }

// statement is a kind of line in a weights file.
type statement struct {
	// by lists the names that the statement's first word may be, one line each; nil when it has none.
	by []string
	// count is the number of numbers, bound the largest size of each.
	count, bound int
	put          func(w *Weights, by int, numbers []int)
}

// pieceTypes are the types of a weights file by their SFEN names.
func pieceTypes(with func(shogi.PieceType) bool) (names []string, types []shogi.PieceType) {
	for t := shogi.Pawn; t < shogi.NumPieceTypes; t++ {
		if with(t) {
			names, types = append(names, t.String()), append(types, t)
		}
	}
	return names, types
}

// statements lists the kinds of lines by their first word.
func statements() map[string]statement {
	board, boardTypes := pieceTypes(func(t shogi.PieceType) bool { return t != shogi.King })
	held, heldTypes := pieceTypes(func(t shogi.PieceType) bool { return t <= shogi.Gold })
	all, allTypes := pieceTypes(func(shogi.PieceType) bool { return true })
	byType := func(names []string, types []shogi.PieceType, bound int, field func(w *Weights) *[shogi.NumPieceTypes]int) statement {
		return statement{names, 1, bound, func(w *Weights, by int, n []int) { field(w)[types[by]] = n[0] }}
	}
	nine := func(field func(w *Weights) *[shogi.NumPieceTypes][9]int) statement {
		return statement{all, 9, maxPiece, func(w *Weights, by int, n []int) { field(w)[allTypes[by]] = [9]int(n) }}
	}
	plain := func(fields ...func(w *Weights) *int) statement {
		return statement{nil, len(fields), maxPiece, func(w *Weights, _ int, n []int) {
			for i, f := range fields {
				*f(w) = n[i]
			}
		}}
	}
	return map[string]statement{
		"weight":    {featureNames, 2, maxWeight, func(w *Weights, by int, n []int) { w.Feature[by] = [2]int(n) }},
		"piece":     byType(board, boardTypes, maxPiece, func(w *Weights) *[shogi.NumPieceTypes]int { return &w.Piece }),
		"hand":      byType(held, heldTypes, maxPiece, func(w *Weights) *[shogi.NumPieceTypes]int { return &w.Hand }),
		"king_zone": byType(board, boardTypes, maxPiece, func(w *Weights) *[shogi.NumPieceTypes]int { return &w.KingZone }),
		"mobility":  byType(board, boardTypes, maxPiece, func(w *Weights) *[shogi.NumPieceTypes]int { return &w.Mobility }),
		"rank":      nine(func(w *Weights) *[shogi.NumPieceTypes][9]int { return &w.Rank }),
		"file":      nine(func(w *Weights) *[shogi.NumPieceTypes][9]int { return &w.File }),
		"centre":    plain(func(w *Weights) *int { return &w.CentreAttack }, func(w *Weights) *int { return &w.CentrePiece }),
		"king_safety": plain(func(w *Weights) *int { return &w.Attacked }, func(w *Weights) *int { return &w.Exposed },
			func(w *Weights) *int { return &w.Home }),
		"threats":    plain(func(w *Weights) *int { return &w.OwnThreat }, func(w *Weights) *int { return &w.EnemyThreat }),
		"side_bonus": plain(func(w *Weights) *int { return &w.SideBonus }),
		"phase":      plain(func(w *Weights) *int { return &w.PhaseHand }, func(w *Weights) *int { return &w.PhasePromoted }),
	}
}

// ParseWeights reads a weights file; the embedded one documents the format. The error names the line and the bad token, or what is missing.
func ParseWeights(text string) (*Weights, error) {
	kinds := statements()
	w := &Weights{}
	seen := make(map[string]bool)
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		name, err := w.statement(kinds, words)
		if err == nil && seen[name] {
			err = fmt.Errorf("%q stands there twice", name)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		seen[name] = true
	}
	return w, missing(kinds, seen)
}

// missing reports the first statement that a weights file lacks.
func missing(kinds map[string]statement, seen map[string]bool) error {
	var lack []string
	for word, k := range kinds {
		if k.by == nil && !seen[word] {
			lack = append(lack, word)
		}
		for _, by := range k.by {
			if !seen[word+" "+by] {
				lack = append(lack, word+" "+by)
			}
		}
	}
	if len(lack) == 0 {
		return nil
	}
	slices.Sort(lack)
	return fmt.Errorf("%q is missing", lack[0])
}

// statement reads one line and returns what it is about.
func (w *Weights) statement(kinds map[string]statement, words []string) (name string, err error) {
	name = words[0]
	k, ok := kinds[name]
	if !ok {
		return "", fmt.Errorf("unknown word %q", name)
	}
	words = words[1:]
	by := 0
	if k.by != nil {
		if len(words) == 0 {
			return "", fmt.Errorf("%q: a name is missing", name)
		}
		if by = slices.Index(k.by, words[0]); by < 0 {
			return "", fmt.Errorf("unknown name %q: want one of %v", words[0], k.by)
		}
		name += " " + words[0]
		words = words[1:]
	}
	if len(words) != k.count {
		return "", fmt.Errorf("%q has %d numbers, want %d", name, len(words), k.count)
	}
	numbers := make([]int, k.count)
	for i, word := range words {
		n, err := strconv.Atoi(word)
		if err != nil || n < -k.bound || n > k.bound {
			return "", fmt.Errorf("bad number %q: want %d to %d", word, -k.bound, k.bound)
		}
		numbers[i] = n
	}
	k.put(w, by, numbers)
	return name, nil
}

// ErrUnknownWeight says that there is no feature of the name.
var ErrUnknownWeight = errors.New("unknown weight")

// Set changes the weight of a feature by a text like "king_safety=1500", or "king_safety=800,1500" for opening and ending, in
// thousandths. The error names the unknown feature (ErrUnknownWeight) or the bad number.
func (w *Weights) Set(text string) error {
	name, value, _ := strings.Cut(text, "=")
	f := slices.Index(featureNames, name)
	if f < 0 {
		return fmt.Errorf("%w %q", ErrUnknownWeight, name)
	}
	opening, ending, both := strings.Cut(value, ",")
	if !both {
		ending = opening
	}
	var numbers [2]int
	for i, word := range []string{opening, ending} {
		n, err := strconv.Atoi(word)
		if err != nil || n < -maxWeight || n > maxWeight {
			return fmt.Errorf("bad weight %q for %s: want a number of thousandths, %d to %d", word, name, -maxWeight, maxWeight)
		}
		numbers[i] = n
	}
	w.Feature[f] = numbers
	return nil
}
