/** A deliberately broken server: the real service with one thing changed. */
import type { KeyObject } from "node:crypto";
import type { Server } from "node:http";
import type { ReleaseHoldings } from "../../../src/conformance/index.ts";
import type { ErrorResponse } from "../../../src/contract/release/schemas.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/request-context.ts";

/** What a broken server answers in place of the real service. */
export type BrokenResponse = (
  exchange: RawRequest,
  context: { honest(exchange: RawRequest): Promise<HttpResponse> },
) => Promise<HttpResponse>;

/** A break of any of the services. */
export interface ServiceBreak {
  /** What the service does wrong. */
  readonly name: string;
  /** The cases that must notice. */
  readonly caughtBy: readonly string[];
  readonly answer?: BrokenResponse;
  /** For what goes wrong below the answers. */
  tamper?(server: Server): void;
}

export interface ReleaseBreak extends Omit<ServiceBreak, "answer"> {
  answer?(exchange: RawRequest, context: BreakContext): HttpResponse | Promise<HttpResponse>;
}

export interface BreakContext {
  /** The real service's answer. */
  honest(exchange: RawRequest): Promise<HttpResponse>;
  readonly origin: "api" | "smartDownload";
  readonly holds: ReleaseHoldings;
  /** The key that signed the manifest. */
  readonly privateKey: KeyObject;
}

/** A request as plain members, so that a break can change one and keep the others. */
export function plainExchange(exchange: RawRequest): RawRequest {
  const { method, target, remoteAddress } = exchange;
  return {
    method,
    target,
    remoteAddress,
    header: (name) => exchange.header(name),
    body: () => exchange.body(),
  };
}

/** Breaks the answers that a test picks, and leaves the others as they are. */
export function changeResponse(
  picks: (answer: HttpResponse, exchange: RawRequest) => boolean,
  change: (answer: HttpResponse, exchange: RawRequest) => HttpResponse,
): BrokenResponse {
  return async (exchange, { honest }) => {
    const answer = await honest(exchange);
    return picks(answer, exchange) ? change(answer, exchange) : answer;
  };
}

/** Reads another request than the one that came. */
export function changeRequest(change: (exchange: RawRequest) => RawRequest): BrokenResponse {
  return (exchange, { honest }) => honest(change(exchange));
}

export function withTarget(exchange: RawRequest, target: string): RawRequest {
  return { ...exchange, target };
}

export function pathOf({ target }: RawRequest): string {
  return target.split("?")[0] ?? "";
}

export function queryOf({ target }: RawRequest): string {
  const mark = target.indexOf("?");
  return mark < 0 ? "" : target.slice(mark + 1);
}

export function isPath(pattern: RegExp): (answer: HttpResponse, exchange: RawRequest) => boolean {
  return (_answer, exchange) => pattern.test(pathOf(exchange));
}

export function isOk(pattern: RegExp): (answer: HttpResponse, exchange: RawRequest) => boolean {
  return (answer, exchange) => answer.status === 200 && pattern.test(pathOf(exchange));
}

export function hasStatus(status: number): (answer: HttpResponse) => boolean {
  return (answer) => answer.status === status;
}

export function isError(answer: HttpResponse): boolean {
  return answer.status >= 400;
}

export function withHeader(answer: HttpResponse, name: string, value: string): HttpResponse {
  return { ...answer, headers: { ...withoutHeader(answer, name).headers, [name]: value } };
}

export function withoutHeader(answer: HttpResponse, name: string): HttpResponse {
  const kept = Object.entries(answer.headers).filter(
    ([key]) => key.toLowerCase() !== name.toLowerCase(),
  );
  return { ...answer, headers: Object.fromEntries(kept) };
}

export function withStatus(answer: HttpResponse, status: number): HttpResponse {
  return { ...answer, status };
}

export function withBody(answer: HttpResponse, text: string): HttpResponse {
  const sized = withHeader(answer, "Content-Length", String(Buffer.byteLength(text)));
  return { ...sized, body: text };
}

/** Edits the JSON of an answer in place or anew; an answer to HEAD has none and stays. */
export function editBody<T>(answer: HttpResponse, edit: (body: T) => unknown): HttpResponse {
  const { body } = answer;
  if (body === null || body instanceof ReadableStream) return answer;
  const value = JSON.parse(Buffer.from(body).toString("utf8")) as T;
  return withBody(answer, JSON.stringify(edit(value) ?? value));
}

export function withCode(answer: HttpResponse, status: number, code: string): HttpResponse {
  const coded = editBody<ErrorResponse>(answer, ({ error }) => ({ error: { ...error, code } }));
  return withStatus(coded, status);
}

export type Body = Record<string, unknown>;

export async function readText(exchange: RawRequest): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of exchange.body()) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

export function withText(exchange: RawRequest, text: string): RawRequest {
  const sized = withRequestHeader(exchange, "content-length", String(Buffer.byteLength(text)));
  return {
    ...sized,
    async *body() {
      yield Buffer.from(text, "utf8");
    },
  };
}

export function withRequestHeader(
  exchange: RawRequest,
  name: string,
  value: string | null,
): RawRequest {
  return { ...exchange, header: (asked) => (asked === name ? value : exchange.header(asked)) };
}

/** A request header that the server does not see. */
export function ignoreHeader(
  name: string,
  picks: (exchange: RawRequest) => boolean = () => true,
): BrokenResponse {
  return (exchange, { honest }) =>
    honest(picks(exchange) ? withRequestHeader(exchange, name, null) : exchange);
}

export function isPost(exchange: RawRequest, path: string): boolean {
  return exchange.method === "POST" && pathOf(exchange) === path;
}

/** The body of an answer, streamed or not. */
export async function readAnswer(answer: HttpResponse): Promise<string> {
  return answer.body === null ? "" : new Response(answer.body).text();
}

/** Edits what a route answers when all is well. */
export function changeOk<T>(path: string, edit: (body: T) => T | object | void): BrokenResponse {
  return async (exchange, { honest }) => {
    const answer = await honest(exchange);
    if (answer.status !== 200 || answer.body === null || pathOf(exchange) !== path) return answer;
    const value = JSON.parse(await readAnswer(answer)) as T;
    return withBody(answer, JSON.stringify(edit(value) ?? value));
  };
}

export function queryValue({ target }: RawRequest, name: string): string | null {
  return new URLSearchParams(target.split("?")[1] ?? "").get(name);
}

/** The same address with its query edited. */
export function changeQuery(
  exchange: RawRequest,
  edit: (query: URLSearchParams) => void,
): RawRequest {
  const [path = "", search = ""] = exchange.target.split("?");
  const query = new URLSearchParams(search);
  edit(query);
  const text = query.toString();
  return { ...exchange, target: text === "" ? path : `${path}?${text}` };
}
