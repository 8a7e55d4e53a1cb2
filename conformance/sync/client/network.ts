/** The requests of a sync client, on a network that a case can disturb. */
import type { Fetch } from "../../../src/client/index.ts";
import { encodeText, readCursorMembers } from "../cursor.ts";

/** A request of the client with its response. */
export interface ClientRequest {
  /** The request, such as `POST /v1/push`, without its query. */
  readonly asked: string;
  readonly url: URL;
  /** The status of the response; zero while there is none. */
  status: number;
  /** The header `Trellis-Refused` of the response. */
  refused: string | null;
}

/** What happens to a request; `send` sends it, or the same one to another address. */
export type Disturbance = (
  request: ClientRequest & { readonly body: string },
  send: (url?: URL) => Promise<Response>,
) => Promise<Response>;

export interface ClientNetwork {
  readonly fetch: Fetch;
  readonly requests: readonly ClientRequest[];
  /** The last `Authorization` header; empty before the first. */
  bearer(): string;
  /** Disturbs the requests from now on; null ends the disturbance. */
  disturb(disturbance: Disturbance | null): void;
}

/** A stream of changes has no end; the client itself ends one that is silent. */
const REQUEST_TIMEOUT_MS = 60_000;
const STREAM = "/v1/changes";

export function createClientNetwork(): ClientNetwork {
  const requests: ClientRequest[] = [];
  let bearer = "";
  let disturbance: Disturbance | null = null;

  return {
    requests,
    bearer: () => bearer,
    disturb: (next) => {
      disturbance = next;
    },
    async fetch(address, init) {
      const url = new URL(address);
      const asked = `${init.method ?? "GET"} ${url.pathname}`;
      const request: ClientRequest = { asked, url, status: 0, refused: null };
      requests.push(request);
      bearer = new Headers(init.headers).get("Authorization") ?? bearer;
      const send = (target = url) => globalThis.fetch(target, withTimeout(url, init));
      const response =
        disturbance === null
          ? await send()
          : await disturbance({ ...request, body: textOf(init.body) }, send);
      request.status = response.status;
      request.refused = response.headers.get("Trellis-Refused");
      return response;
    },
  };
}

/** The client sends JSON texts. */
function textOf(body: RequestInit["body"]): string {
  return typeof body === "string" ? body : "";
}

function withTimeout({ pathname }: URL, init: RequestInit): RequestInit {
  if (pathname.endsWith(STREAM)) return init;
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  return { ...init, signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout };
}

/** Disturbs the first request to a path, and no other. */
export function once(path: string, disturbance: Disturbance): Disturbance {
  return times(1, path, disturbance);
}

function times(count: number, path: string, disturbance: Disturbance): Disturbance {
  let left = count;
  return (request, send) => {
    if (left === 0 || !request.url.pathname.endsWith(path)) return send();
    left--;
    return disturbance(request, send);
  };
}

/** The server responds, and the response does not arrive, nor that to the request which repeats it at once. */
export function loseResponses(path: string): Disturbance {
  return times(2, path, async (_request, send) => {
    await (await send()).arrayBuffer();
    throw new TypeError("The response was lost");
  });
}

/** Sends another cursor than the client's; a cursor that is not JSON is replaced by an unknown one. */
export function changeCursor(changes: Readonly<Record<string, unknown>>): Disturbance {
  return ({ url }, send) => {
    const cursor = url.searchParams.get("cursor");
    if (cursor === null) return send();
    const members = readCursorMembers(cursor);
    const changed = new URL(url);
    changed.searchParams.set(
      "cursor",
      members === null ? "unknown" : encodeText(JSON.stringify({ ...members, ...changes })),
    );
    return send(changed);
  };
}
