/** Streams of changes, as a device reads them. */
import { setTimeout as wait } from "node:timers/promises";
import { createChecker } from "../../src/contract/check.ts";
import { HeadEvent } from "../../src/contract/sync/schemas.ts";
import { skipUnless } from "../case.ts";
import { expectHeaderMatch, expectShape, expectSoon, expectStatus, fail } from "../expect.ts";
import type { OpenResponse, SentHeaders } from "../http.ts";
import { parseCursor, type Cursor } from "./cursor.ts";
import type { TestDevice } from "./device.ts";
import { expectCapabilities } from "./expectations.ts";
import type { SyncServerUnderTest } from "./server-under-test.ts";

export const CHANGES = "/v1/changes";

/** The server has a quarter of a second, or a second for an end; the rest is for the network. */
const PATIENCE_MS = 2000;

export interface ChangeStream {
  readonly response: OpenResponse;
  /** The next head, or the first one at this offset or after it. */
  head(leastOffset?: number): Promise<Head>;
  ended(): Promise<void>;
  /** Expects the stream to be open after a moment in which a server would have ended it. */
  expectOpen(): Promise<void>;
  close(): void;
}

interface Head extends Cursor {
  readonly text: string;
}

const headEvent = createChecker(HeadEvent);

/** The extension is announced, so a server may do without it. */
export async function requireChanges({ api }: SyncServerUnderTest): Promise<void> {
  const { sync } = expectCapabilities(await api.get("/v1/capabilities"));
  skipUnless(sync.changes === true, "The capabilities do not announce live changes");
}

export async function openStream(
  server: SyncServerUnderTest,
  device: TestDevice,
  headers: SentHeaders = {},
): Promise<ChangeStream> {
  const response = await server.api.open(CHANGES, { ...device.bearer, ...headers });
  expectStatus(response, 200);
  expectHeaderMatch(response, "Content-Type", /^text\/event-stream\b/, "text/event-stream");
  const takeEvent = createEventReader(response);

  const until = (what: string, isTrue: () => boolean) =>
    expectSoon(response, what, PATIENCE_MS, isTrue);

  return {
    response,
    async head(leastOffset = 0) {
      for (;;) {
        let event: string | null = null;
        await until(leastOffset === 0 ? "a head" : `a head at ${leastOffset} or later`, () => {
          event = takeEvent();
          if (event === null && response.isOver()) {
            fail(response, "an open stream", "its end");
          }
          return event !== null;
        });
        const head = parseHead(response, event ?? "");
        if (head.offset >= leastOffset) return head;
      }
    },
    ended: () => until("the end of the stream", response.isOver),
    async expectOpen() {
      await wait(PATIENCE_MS / 10);
      if (response.isOver()) fail(response, "an open stream", "its end");
    },
    close: response.close,
  };
}

/** Makes a function that takes the next event, and returns null until it is complete. */
function createEventReader(response: OpenResponse): () => string | null {
  let position = 0;
  return function takeEvent(): string | null {
    const text = response.text().slice(position);
    const end = text.indexOf("\n\n");
    if (end < 0) return null;
    position += end + 2;
    const event = text.slice(0, end);
    const isComment = event.startsWith(":");
    return isComment ? takeEvent() : event;
  };
}

function parseHead(response: OpenResponse, event: string): Head {
  const data = /^event: head\ndata: (.*)$/.exec(event)?.[1];
  if (data === undefined) fail(response, "event: head with one line of data", event);
  const { cursor } = expectShape(response, parseData(response, data), headEvent, "data of a head");
  return { ...parseCursor(response.asked, cursor), text: cursor };
}

function parseData(response: OpenResponse, data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return fail(response, "data in JSON", data);
  }
}
