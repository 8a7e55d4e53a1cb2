/** Reads a stream of changes as a device does. */
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import type { Ask } from "./sync-client.ts";

export interface ReadStream {
  readonly response: Response;
  /** The cursor of the next head; rejects when the stream ends or `withinMs` have passed before it. */
  head(withinMs?: number): Promise<string>;
  /** Resolves when the server has ended the stream. */
  ended(withinMs?: number): Promise<void>;
  /** Everything received so far. */
  text(): string;
  close(): Promise<void>;
}

export async function openChanges(ask: Ask, accessToken: string): Promise<ReadStream> {
  const abort = new AbortController();
  const response = await ask("/v1/changes", {
    headers: { Authorization: `Bearer ${accessToken}` },
    signal: abort.signal,
  });
  assert.equal(response.status, 200, response.status === 200 ? "" : await response.text());
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  let position = 0;
  let isOver = false;
  const reading = (async () => {
    const decoder = new TextDecoder();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        text += decoder.decode(next.value, { stream: true });
      }
    } catch {
      // The test has closed it, or the server was ended.
    }
    isOver = true;
  })();
  const takeHead = (): string | null => {
    const found = /event: head\ndata: (.*)\n\n/g;
    found.lastIndex = position;
    const match = found.exec(text);
    if (match === null) return null;
    position = found.lastIndex;
    return (JSON.parse(match[1] ?? "") as { cursor: string }).cursor;
  };
  return {
    response,
    async head(withinMs = 5000) {
      const givesUpAt = performance.now() + withinMs;
      for (;;) {
        const cursor = takeHead();
        if (cursor !== null) return cursor;
        assert.ok(!isOver, "the stream has ended");
        assert.ok(performance.now() < givesUpAt, `no head within ${withinMs} ms`);
        await wait(2);
      }
    },
    async ended(withinMs = 5000) {
      const givesUpAt = performance.now() + withinMs;
      while (!isOver) {
        assert.ok(performance.now() < givesUpAt, `the stream has not ended within ${withinMs} ms`);
        await wait(2);
      }
    },
    text: () => text,
    async close() {
      abort.abort();
      await reader.cancel().catch(() => {});
      await reading;
    },
  };
}
