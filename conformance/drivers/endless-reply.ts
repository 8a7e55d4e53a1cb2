/** A body that goes on for longer than any client should read. */
import { fail } from "../expect.ts";
import type { Reply } from "./loopback-service.ts";

/** Twice of what a connection and a client may hold, and far more than a right body has. */
const TOO_MANY_BYTES = 96 * 1024 * 1024;
const CHUNK = Buffer.alloc(256 * 1024, " ");

/** The body begins with this JSON, and never ends it. */
export function createEndlessReply(start: string) {
  let longest = 0;
  const reply: Reply = (response) => {
    let sent = 0;
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
    response.write(start);
    const sendMore = () => {
      if (sent >= TOO_MANY_BYTES) {
        response.end();
        return;
      }
      sent += CHUNK.length;
      longest = Math.max(longest, sent);
      if (response.write(CHUNK)) setImmediate(sendMore);
    };
    response.on("drain", sendMore);
    sendMore();
  };
  return {
    reply,
    expectStopped(asked: string): void {
      if (longest >= TOO_MANY_BYTES) fail(asked, "a client that stops", `${longest} bytes read`);
    },
  };
}
