/**
 * A client that sends every request exactly as given. `fetch` resolves dot segments, joins slashes
 * and adds a User-Agent, which would hide what a server does with them; this client does not, follows
 * no redirect, and sends a bounded number of requests.
 */
import http from "node:http";
import https from "node:https";
import { ConformanceError } from "./case.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { readAddress, sendRawBytes } from "./raw-socket.ts";

export interface ReceivedResponse {
  /** The request, such as `GET /health`. */
  readonly asked: string;
  readonly status: number;
  /** A header that occurs several times is joined by commas (RFC 9110, 5.3). */
  header(name: string): string | undefined;
  readonly body: Uint8Array;
  /** The body as UTF-8; of an open response what was received so far. */
  text(): string;
}

/** A response whose body is read as it comes; the body of an error is complete. */
export interface OpenResponse extends ReceivedResponse {
  /** Whether the body has ended, in any way. */
  isOver(): boolean;
  close(): void;
}

export type SentHeaders = Readonly<Record<string, string>>;

/** Parameters of a query or a form by name; undefined leaves a parameter out. */
export type RequestFields = Readonly<Record<string, string | undefined>>;

export function encodeFields(fields: RequestFields): string {
  return Object.entries(fields)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
    )
    .join("&");
}

/** One origin of the server under test, with the path its base URL may have. */
export interface Origin {
  readonly url: string;
  get(target: string, headers?: SentHeaders): Promise<ReceivedResponse>;
  send(
    method: string,
    target: string,
    headers?: SentHeaders,
    body?: string | Uint8Array,
  ): Promise<ReceivedResponse>;
  /** Gets a response that may have no end, on a connection of its own. */
  open(target: string, headers?: SentHeaders): Promise<OpenResponse>;
  /** Returns what the server sends until it closes the connection or is idle. */
  sendRaw(bytes: string): Promise<Uint8Array>;
  /** The request line's target for a path of this origin. */
  targetOf(path: string): string;
}

export class NoResponseError extends ConformanceError {
  constructor(asked: string, received: string) {
    super({ asked, expected: "an HTTP response", received });
    this.name = "NoResponseError";
  }
}

export interface HttpClient {
  origin(url: string): Origin;
  close(): void;
}

export type HttpLimits = Readonly<Partial<typeof DEFAULT_LIMITS>>;

const DEFAULT_LIMITS = {
  // About three times what all cases of a service need.
  maxRequests: 3_000,
  maxSockets: 8,
  requestTimeoutMs: 10_000,
  maxBodyBytes: 16 * 1024 * 1024,
};

const MAX_SHOWN_TARGET = 200;
const MAX_SHOWN_BODY = 160;

export function createHttpClient(given: HttpLimits = {}): HttpClient {
  const limits = { ...DEFAULT_LIMITS, ...given };
  const pool = { keepAlive: true, maxSockets: limits.maxSockets };
  const agents = { http: new http.Agent(pool), https: new https.Agent(pool) };
  let sent = 0;
  const countRequest = (asked: string) => {
    sent += 1;
    if (sent > limits.maxRequests) {
      throw createError(asked, `at most ${limits.maxRequests} requests in a run`, "one more");
    }
  };

  const origin = (url: string): Origin => {
    const base = new URL(url);
    const prefix = base.pathname.replace(/\/$/, "");
    const targetOf = (path: string) => `${prefix}${path}`;
    const send: Origin["send"] = async (method, path, headers = {}, body = "") => {
      const target = targetOf(path);
      const asked = describeRequest(method, target, headers, body);
      countRequest(asked);
      const request: SentRequest = { base, method, target, headers, body, asked };
      try {
        return await sendOnce(request, agents, limits);
      } catch (error) {
        // The server closed the idle connection when the agent picked it for this request.
        if (!(error instanceof StaleConnectionError)) throw error;
        return sendOnce(request, agents, limits);
      }
    };
    return {
      url,
      get: (path, headers) => send("GET", path, headers),
      send,
      open: (path, headers = {}) => {
        const target = targetOf(path);
        const asked = describeRequest("GET", target, headers, "");
        countRequest(asked);
        return openOnce({ base, method: "GET", target, headers, body: "", asked }, limits);
      },
      sendRaw: async (bytes) => {
        countRequest("raw bytes");
        return sendRawBytes(base, bytes);
      },
      targetOf,
    };
  };
  return {
    origin,
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

interface SentRequest {
  readonly base: URL;
  readonly method: string;
  readonly target: string;
  readonly headers: SentHeaders;
  readonly body: string | Uint8Array;
  readonly asked: string;
}

class StaleConnectionError extends Error {}

function startRequest(
  { base, method, target, headers, body }: SentRequest,
  options: Pick<http.RequestOptions, "agent" | "signal">,
): http.ClientRequest {
  const { secure, host, port } = readAddress(base);
  return (secure ? https : http).request({
    protocol: base.protocol,
    hostname: host,
    port,
    method,
    path: target,
    headers: { ...framingOf(headers, body), ...headers },
    ...options,
  });
}

/** Node sends the body of a GET or a DELETE without saying that there is one. */
function framingOf(headers: SentHeaders, body: string | Uint8Array): SentHeaders {
  const isFramed = Object.keys(headers).some((name) =>
    ["content-length", "transfer-encoding"].includes(name.toLowerCase()),
  );
  return isFramed || body.length === 0 ? {} : { "Content-Length": `${Buffer.byteLength(body)}` };
}

function sendOnce(
  sent: SentRequest,
  agents: { http: http.Agent; https: https.Agent },
  limits: typeof DEFAULT_LIMITS,
): Promise<ReceivedResponse> {
  const { base, body, asked } = sent;
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse>();
  const request = startRequest(sent, {
    agent: base.protocol === "https:" ? agents.https : agents.http,
    signal: AbortSignal.timeout(limits.requestTimeoutMs),
  });
  request.on("error", (error: NodeJS.ErrnoException) => {
    const reset = error.code === "ECONNRESET" || error.code === "EPIPE";
    reject(
      reset && request.reusedSocket
        ? new StaleConnectionError()
        : new NoResponseError(asked, describeTransportError(error)),
    );
  });
  request.on("response", (response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limits.maxBodyBytes) {
        chunks.push(chunk);
        return;
      }
      reject(createError(asked, `a body of at most ${limits.maxBodyBytes} bytes`, "a longer one"));
      response.destroy();
    });
    response.on("error", (error) =>
      reject(createError(asked, "a complete response", describeTransportError(error))),
    );
    response.on("end", () => resolve(toHttpResponse(asked, response, Buffer.concat(chunks))));
  });
  if (body.length > 0) request.end(body);
  else request.end();
  return promise;
}

function openOnce(sent: SentRequest, limits: typeof DEFAULT_LIMITS): Promise<OpenResponse> {
  const { asked } = sent;
  const { promise, resolve, reject } = Promise.withResolvers<OpenResponse>();
  const request = startRequest(sent, { agent: false });
  const late = setTimeout(() => {
    reject(new NoResponseError(asked, "none in time"));
    request.destroy();
  }, limits.requestTimeoutMs);
  request.on("error", (error) => reject(new NoResponseError(asked, describeTransportError(error))));
  request.on("response", (response) => {
    clearTimeout(late);
    const chunks: Buffer[] = [];
    let isOver = false;
    const opened = () => ({
      ...toHttpResponse(asked, response, Buffer.concat(chunks)),
      text: () => Buffer.concat(chunks).toString("utf8"),
      isOver: () => isOver,
      close: () => void request.destroy(),
    });
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    // An end that is not clean is an end too.
    response.on("error", () => {});
    response.on("close", () => {
      isOver = true;
      resolve(opened());
    });
    if (response.statusCode === 200) resolve(opened());
  });
  request.end();
  return promise;
}

function toHttpResponse(
  asked: string,
  response: http.IncomingMessage,
  body: Buffer,
): ReceivedResponse {
  const values = response.headersDistinct;
  return {
    asked,
    status: response.statusCode ?? 0,
    header: (name) => values[name.toLowerCase()]?.join(", "),
    body,
    text: () => body.toString("utf8"),
  };
}

function describeRequest(
  method: string,
  target: string,
  headers: SentHeaders,
  body: string | Uint8Array,
): string {
  const extra = Object.entries(headers).map(
    ([name, value]) => ` (${hideSecrets(`${name}: ${value}`)})`,
  );
  const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  const content = text === "" ? "" : ` with ${shorten(hideSecrets(text), MAX_SHOWN_BODY)}`;
  return `${method} ${shorten(hideSecrets(target), MAX_SHOWN_TARGET)}${extra.join("")}${content}`;
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`;
}

function describeTransportError(error: NodeJS.ErrnoException): string {
  if (error.name === "TimeoutError" || error.name === "AbortError") return "none in time";
  return error.code === undefined ? error.message : `none (${error.code})`;
}

function createError(asked: string, expected: string, received: string): ConformanceError {
  return new ConformanceError({ asked, expected, received });
}
