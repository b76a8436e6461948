package engine_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/yomi-shogi/yomi/internal/engine"
	"github.com/yomi-shogi/yomi/internal/search"
	"github.com/yomi-shogi/yomi/shogi"
)

// dashboardAddress returns the address that messages tell.
func dashboardAddress(t *testing.T, messages []string) string {
	for _, m := range messages {
		if address, ok := strings.CutPrefix(m, "dashboard at "); ok {
			return address
		}
	}
	require.Fail(t, "no address", "%q", messages)
	return ""
}

func TestDashboardOption(t *testing.T) {
	e := engine.New()
	setAll(t, e, "USI_Hash", "16", "PolicyEvaluator", "heuristic", "ValueEvaluator", "material", "Inspect_Address", "127.0.0.1:0")
	require.Empty(t, e.Said()) // it waits for isready
	address := dashboardAddress(t, e.Ready())
	require.Empty(t, e.Ready())
	response, err := http.Get(address)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode)

	setAll(t, e, "Inspect_Token", "hush")
	second := dashboardAddress(t, e.Said()) // another server, at once
	require.Contains(t, second, "?token=hush")
	_, err = http.Get(address)
	require.Error(t, err)

	for _, kind := range []string{"uct", "alphabeta"} {
		setAll(t, e, "SearchEngine", kind)
		page, _, err := websocket.Dial(t.Context(), strings.Replace(strings.Replace(second, "http", "ws", 1), "/?", "/ws?", 1), nil)
		require.NoError(t, err)
		page.SetReadLimit(1 << 20)
		result := e.Search(t.Context(), shogi.NewGame(shogi.StartPosition()), search.Limits{Nodes: 500}, func([]search.Info) {})
		e.NewGame()
		for want := []string{`"canControl":true`, `"engine":"` + kind + `"`, `"name":"Threads","value":"1"`, `"best":"` + result.Best.String() + `"`}; len(want) > 0; {
			_, text, err := page.Read(t.Context())
			require.NoError(t, err)
			require.NotContains(t, string(text), "hush")
			for len(want) > 0 && strings.Contains(string(text), want[0]) {
				want = want[1:]
			}
		}
		require.NoError(t, page.CloseNow())
	}
	setAll(t, e, "Inspect_Address", "")
	require.Empty(t, e.Said())
	_, err = http.Get(second)
	require.Error(t, err)
	require.NoError(t, e.Close())
}

// A bad address is one message, and the engine plays on.
func TestDashboardErrors(t *testing.T) {
	for _, address := range []string{"nonsense", "0.0.0.0:0", "127.0.0.1:99999"} {
		e := engine.New()
		setAll(t, e, "USI_Hash", "16", "PolicyEvaluator", "heuristic", "ValueEvaluator", "material", "Inspect_Address", address)
		messages := e.Ready()
		require.Len(t, messages, 1)
		require.Contains(t, messages[0], "Error: Inspect_Address: ")
		require.Empty(t, e.Ready())
		result := e.Search(t.Context(), shogi.NewGame(shogi.StartPosition()), search.Limits{Nodes: 50, MoveTime: time.Minute}, func(infos []search.Info) {
			for _, i := range infos {
				require.NotContains(t, i.Text, "Error")
			}
		})
		require.True(t, result.Best.IsMove())
		require.NoError(t, e.Close())
	}
}
