// The connection to the engine. It comes back by itself.

import type { Message } from "./messages";

const goingAway = 1001; // what a server says that ends

/** Link is a WebSocket that connects again when it is lost, after 0.5 s, then ever later up to 8 s. */
export class Link {
  private socket: WebSocket | null = null;
  private wait = 500;
  private timer = 0;

  constructor(private readonly address: string, private readonly on: { message: (m: Message) => void; state: (online: boolean, ended: boolean) => void }) {}

  /** open connects. */
  open(): void {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 500;
      this.on.state(true, false);
    };
    socket.onmessage = (e) => this.on.message(JSON.parse(e.data as string) as Message);
    socket.onclose = (e) => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.on.state(false, e.code === goingAway);
      this.timer = window.setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(8000, this.wait * 2);
    };
  }

  /** send gives the engine a command; without a connection it is lost. */
  send(command: { type: string } & Record<string, unknown>): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }
}

/** socketAddress returns where the page's WebSocket is; the page's token goes with it. */
export function socketAddress(page: Location): string {
  const token = new URLSearchParams(page.search).get("token");
  const scheme = page.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${page.host}/ws` + (token ? "?token=" + encodeURIComponent(token) : "");
}
