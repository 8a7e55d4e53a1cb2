/** Follows `GET /v1/changes`, for new heads; with `fetch`, as an EventSource cannot send a bearer token. */
import { isObject } from "../../contract/is-object.ts";
import { parseRetryAfter } from "../../rules/http-headers.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { REQUEST_POLICY } from "../transport/request-text.ts";
import { backoffMs } from "./backoff.ts";
import { readEventStream } from "./event-stream.ts";
import type { SyncSettings } from "./settings.ts";
import { createTimer } from "./timer.ts";
import type { Tokens } from "./tokens.ts";

export type FollowedChanges = ReturnType<typeof followChanges>;

export interface LiveChangesOptions {
  readonly settings: SyncSettings;
  readonly tokens: Tokens;
  readonly onHead: (cursor: string) => void;
  /** The account has this key; without encryption the server does not say so. */
  readonly onKey: (keyId: string) => void;
  /** The stream has ended, so the client must ask again. */
  readonly onEnd: () => void;
}

/** The server sends a comment every 25 seconds. */
const SILENCE_MS = 70_000;
/** The request itself, and the head that the server sends at once. */
const FIRST_SIGNS = 2;

export function followChanges(options: LiveChangesOptions) {
  const { settings, onHead, onKey, onEnd } = options;
  const stopped = new AbortController();
  let isConnected = false;
  let failures = 0;
  let refusedToken: string | undefined;
  const retry = createTimer(settings, () => void follow());

  async function follow(): Promise<void> {
    const retryAfterSeconds = await connect().catch(() => null);
    if (stopped.signal.aborted) return;
    const wasConnected = isConnected;
    isConnected = false;
    if (wasConnected) onEnd();
    const delay = backoffMs(++failures, settings.randomBytes, retryAfterSeconds);
    retry.set(delay);
  }

  /** Resolves at the end of the stream, with the server's wish for how long to wait. */
  async function connect(): Promise<number | null> {
    const access = await options.tokens.getAccess(refusedToken);
    if (access.kind === "failed") return access.retryAfterSeconds;
    const ended = new AbortController();
    const silence = createTimer(settings, () => ended.abort());
    let signs = 0;
    const onBytes = () => {
      // A stream that ends after its first words would be opened again and again.
      if (++signs > FIRST_SIGNS) failures = 0;
      silence.set(SILENCE_MS);
    };
    onBytes();
    try {
      const signal = AbortSignal.any([stopped.signal, ended.signal]);
      const response = await requestStream(settings, access.accessToken, signal);
      if (response.status === 401) refusedToken = access.accessToken;
      if (response.status !== 200 || response.body === null) {
        return parseRetryAfter(response.headers.get("Retry-After"), settings.now());
      }
      for await (const { event, data } of readEventStream(response.body, onBytes)) {
        const keyId = event === "keys" ? readText(data, "keyId") : null;
        if (keyId !== null) onKey(keyId);
        const cursor = event === "head" ? readText(data, "cursor") : null;
        if (cursor === null) continue;
        isConnected = true;
        onHead(cursor);
      }
      return null;
    } finally {
      silence.cancel();
      ended.abort();
    }
  }

  void follow();
  return {
    isConnected: () => isConnected,
    stop(): void {
      retry.cancel();
      stopped.abort();
    },
  };
}

function requestStream({ fetch, baseUrl }: SyncSettings, accessToken: string, signal: AbortSignal) {
  return fetch(`${baseUrl}/v1/changes`, {
    headers: { Accept: "text/event-stream", Authorization: `Bearer ${accessToken}` },
    ...REQUEST_POLICY,
    cache: "no-store",
    signal,
  });
}

function readText(data: string, name: string): string | null {
  const value = parseJson(data);
  const text = isObject(value) ? value[name] : null;
  return typeof text === "string" ? text : null;
}
