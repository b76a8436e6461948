package match

import (
	"cmp"
	"math"
	"slices"
)

// placed is a player's place after the fit.
type placed struct {
	player, reference int
	rating, margin    float64
	bound             Bound
}

// rateAll rates players 0..n-1, of whom 0 is the anchor, and returns them best first, group by group of those that a chain of
// games connects. Each group has a reference with rating 0, its first player.
func rateAll(n int, bouts []bout) []placed {
	var out []placed
	rated := make([]bool, n)
	met := func(i, j int) bool {
		return slices.ContainsFunc(bouts, func(b bout) bool { return b.a == i && b.b == j || b.a == j && b.b == i })
	}
	for reference := range n {
		if rated[reference] {
			continue
		}
		group := reach(n, reference, met)
		members := rateGroup(group, bouts)
		for i := range members {
			rated[members[i].player] = true
			members[i].reference = reference
		}
		slices.SortStableFunc(members, func(x, y placed) int { return cmp.Compare(y.rating, x.rating) })
		out = append(out, members...)
	}
	return out
}

// reach returns the players to whom steps lead from the first one, with it at the head and the others in order.
func reach(n, first int, step func(i, j int) bool) []int {
	seen := make([]bool, n)
	seen[first] = true
	found := []int{first}
	for next := 0; next < len(found); next++ {
		for j := range n {
			if !seen[j] && step(found[next], j) {
				seen[j] = true
				found = append(found, j)
			}
		}
	}
	slices.Sort(found[1:])
	return found
}

// rateGroup rates players that games connect; the first one has 0. It falls into circles, in each of which everyone is connected to
// everyone else by players who scored against the next: there the ratings are finite (Ford's condition). Between circles
// one side won all games; that gives bounds.
func rateGroup(group []int, bouts []bout) []placed {
	circleOf := circles(group, bouts)
	ratings, margins := make(map[int]float64), make(map[int]float64)
	count := 0
	for first := range group {
		if circleOf[group[first]] == count {
			rateCircle(group, circleOf, count, bouts, ratings, margins)
			count++
		}
	}
	offsets := stack(count, circleOf, bouts, ratings)
	var out []placed
	for _, player := range group {
		c := circleOf[player]
		p := placed{player: player, rating: ratings[player] + offsets[c], margin: margins[player]}
		if c != 0 {
			p.margin, p.bound = 0, boundOf(player, group[0], bouts)
		}
		out = append(out, p)
	}
	return out
}

// circles numbers the circles of a group in the order of their first players; each player gets the number of its own.
func circles(group []int, bouts []bout) map[int]int {
	n := slices.Max(group) + 1
	scored := scoredIn(bouts)
	circleOf, count := make(map[int]int), 0
	for _, player := range group {
		if _, known := circleOf[player]; known {
			continue
		}
		forward := reach(n, player, scored)
		backward := reach(n, player, func(i, j int) bool { return scored(j, i) })
		for _, other := range forward {
			if slices.Contains(backward, other) {
				circleOf[other] = count
			}
		}
		count++
	}
	return circleOf
}

// scoredIn returns whether the first player scored anything against the second one.
func scoredIn(bouts []bout) func(i, j int) bool {
	return func(i, j int) bool {
		return slices.ContainsFunc(bouts, func(b bout) bool {
			return b.a == i && b.b == j && b.score > 0 || b.a == j && b.b == i && b.score < 1
		})
	}
}

// boundOf says what kind of bound the rating of a player outside the anchor's circle is.
func boundOf(player, anchor int, bouts []bout) Bound {
	n := max(player, anchor) + 1
	for _, b := range bouts {
		n = max(n, b.a+1, b.b+1)
	}
	switch {
	case slices.Contains(reach(n, player, scoredIn(bouts)), anchor):
		return AtLeast
	case slices.Contains(reach(n, anchor, scoredIn(bouts)), player):
		return AtMost
	}
	return Open
}

// rateCircle rates the players of one circle by the games inside it; its first player has 0.
func rateCircle(group []int, circleOf map[int]int, circle int, bouts []bout, ratings, margins map[int]float64) {
	local := make(map[int]int)
	var members []int
	for _, player := range group {
		if circleOf[player] == circle {
			local[player] = len(members)
			members = append(members, player)
		}
	}
	var inside []bout
	for _, b := range bouts {
		i, hasA := local[b.a]
		j, hasB := local[b.b]
		if hasA && hasB {
			b.a, b.b = i, j
			inside = append(inside, b)
		}
	}
	fitted, covariance := fitRatings(len(members), inside)
	for i, player := range members {
		ratings[player] = fitted[i]
		if i > 0 {
			margins[player] = confidence * math.Sqrt(max(0, covariance.At(i-1, i-1)))
		}
	}
}

// stack returns how far each circle lies above the first one at least, or below it, negative: the fit of the games between circles, all
// won by one side, each with the lowest score that still makes them likely.
func stack(count int, circleOf map[int]int, bouts []bout, ratings map[int]float64) []float64 {
	var between []bout
	for _, b := range bouts {
		i, known := circleOf[b.a]
		j := circleOf[b.b]
		if !known || i == j {
			continue
		}
		clean := cleanBound(b.games / 2)
		if b.score == 0 {
			clean = 1 - clean
		}
		between = append(between, bout{a: i, b: j, offset: ratings[b.a] - ratings[b.b], games: b.games, score: clean})
	}
	offsets, _ := fitRatings(count, between)
	return offsets
}
