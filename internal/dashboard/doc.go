// Package dashboard shows an engine thinking in a browser: it serves embedded pages over HTTP on the loopback address and sends them, over a
// WebSocket, what the search is doing. The same pages go through trace files.
//
// # Words
//
// The tap is the search's sink: it counts events and remembers the last of each that matters, and nothing else. A client is a page that is
// connected. The hub knows the clients, looks at the engine up to ten times a second while there are any, and gives each the same messages.
// A client with too many unread messages is dropped. The gate holds searches up for those clients that gave the token.
//
//	search ──events──▶ tap ──▶ gate (inspect.Stepper, while there are breakpoints)
//	                    │ counters, last selection, path, ring of log lines
//	                    ▼
//	engine ──Probe──▶ hub ──10 a second──▶ client queues ──▶ WebSocket ──▶ page
//	                    ▲                                        │
//	                    └──────────── commands ──────────────────┘
//
// The messages are described in message.go and messagedetails.go, the commands in command.go; web/sample.json has an example of each.
package dashboard
