/** An events client of a loopback server, under the public name that the client requires. */
import type { IncomingMessage, RequestListener } from "node:http";
import type { TestContext } from "node:test";
import { inspect } from "node:util";
import {
  createEventsClient,
  type EventsClient,
  type EventsClientOptions,
} from "../../../src/client/index.ts";
import { serveOnLoopback } from "../../fixtures/loopback-server.ts";

export const ORIGIN = "https://planner.example.org";
export const REDIRECT_URI = "trellis-demo://auth/callback";
/** Must not appear in any error of the client. */
export const TOKEN = "tre_at_secret-of-the-person";
export const BODY_MARK = "words-of-the-response";

export function createClientOf(
  server: string,
  changes: Partial<EventsClientOptions> = {},
): EventsClient {
  return createEventsClient({
    origin: ORIGIN,
    clientId: "trellis-demo",
    redirectUri: REDIRECT_URI,
    fetch: (url, init) => fetch(url.replace(ORIGIN, server), init),
    ...changes,
  });
}

export async function connect(
  t: TestContext,
  listener: RequestListener,
  changes: Partial<EventsClientOptions> = {},
): Promise<EventsClient> {
  return createClientOf(await serveOnLoopback(t, listener), changes);
}

export async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** All text an app could print of a value, including hidden and inherited members. */
export function printWhole(value: unknown): string {
  return `${JSON.stringify(value)}\n${inspect(value, { depth: null, showHidden: true })}`;
}
