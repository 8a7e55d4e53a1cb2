/**
 * A compatible service as a stranger would write it: from the contract alone, with nothing but
 * `node:http`. It has never heard of Trellis, and has no member and no parameter beyond the contract.
 */
import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export interface PlannerEvent {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly date: string;
  readonly changedAt: number;
}

export interface ContractService {
  readonly listener: RequestListener;
  readonly events: PlannerEvent[];
  /** The queries of the events route. */
  readonly queries: string[];
  /** Its clock. */
  now: number;
  /** In place of a list. */
  failWith: number | "silence" | null;
}

const CLIENT_ID = "trellis-demo";
const REDIRECT_URI = "trellis-demo://auth/callback";

/** `unknownQuery` is the status of a query that it does not know. */
export function createContractService(unknownQuery = 404): ContractService {
  const challenges = new Map<string, string>();
  const tokens = new Set<string>();

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const isRight =
      query.get("client_id") === CLIENT_ID &&
      query.get("redirect_uri") === REDIRECT_URI &&
      query.get("response_type") === "code" &&
      query.get("scope") === "read:events" &&
      query.get("code_challenge_method") === "S256";
    if (!isRight) return void response.writeHead(400).end();
    const code = randomUUID();
    challenges.set(code, query.get("code_challenge") ?? "");
    const back = new URLSearchParams({ code, state: query.get("state") ?? "" });
    response.writeHead(302, { Location: `${REDIRECT_URI}?${back}` }).end();
  }

  async function redeem(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const verifier = createHash("sha256").update(form.get("code_verifier") ?? "");
    const isRight =
      request.headers["content-type"] === "application/x-www-form-urlencoded" &&
      form.get("grant_type") === "authorization_code" &&
      form.get("client_id") === CLIENT_ID &&
      form.get("redirect_uri") === REDIRECT_URI &&
      challenges.get(form.get("code") ?? "") === verifier.digest("base64url");
    if (!isRight) return void response.writeHead(400).end();
    const access_token = randomUUID();
    tokens.add(access_token);
    response.end(JSON.stringify({ access_token }));
  }

  function list(request: IncomingMessage, query: URLSearchParams, response: ServerResponse): void {
    service.queries.push(decodeURIComponent(String(query)));
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    if (service.failWith === "silence") return;
    if (service.failWith !== null) return void response.writeHead(service.failWith).end();
    if (!tokens.has(token)) return void response.writeHead(401).end();
    const known = new Set(["limit", "updated_since"]);
    if ([...query.keys()].some((name) => !known.has(name)) || query.get("limit") !== "500") {
      return void response.writeHead(unknownQuery).end();
    }
    const since = Date.parse(query.get("updated_since") ?? "1970-01-01T00:00:00Z");
    const events = service.events
      .filter(({ changedAt }) => changedAt >= since)
      .slice(0, Number(query.get("limit")))
      .map(({ id, type, title, date }) => ({ id, type, title, date }));
    response.setHeader("Date", new Date(service.now).toUTCString());
    response.end(JSON.stringify({ events }));
  }

  const service: ContractService = {
    listener(request, response) {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://service");
      if (pathname === "/api/oauth/authorize") authorize(searchParams, response);
      else if (pathname === "/api/oauth/token") void redeem(request, response);
      else if (pathname === "/api/events") list(request, searchParams, response);
      else response.writeHead(404).end();
    },
    events: [],
    queries: [],
    now: Date.UTC(2026, 8, 1),
    failWith: null,
  };
  return service;
}
