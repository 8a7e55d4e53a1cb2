/** A deliberately broken server: the real service with one thing changed. */
import type { KeyObject } from "node:crypto";
import type { Server } from "node:http";
import type { ReleaseHoldings } from "../../../src/conformance/index.ts";
import type { ErrorResponse } from "../../../src/contract/release/schemas.ts";
import type { Answer } from "../../../src/http/answer.ts";
import type { Exchange } from "../../../src/http/exchange.ts";

/** What a broken server answers in place of the real service. */
export type BrokenAnswer = (
  exchange: Exchange,
  context: { honest(exchange: Exchange): Promise<Answer> },
) => Promise<Answer>;

/** A break of any of the services. */
export interface ServiceBreak {
  /** What the service does wrong. */
  readonly name: string;
  /** The cases that must notice. */
  readonly caughtBy: readonly string[];
  readonly answer?: BrokenAnswer;
  /** For what goes wrong below the answers. */
  tamper?(server: Server): void;
}

export interface ReleaseBreak extends Omit<ServiceBreak, "answer"> {
  answer?(exchange: Exchange, context: BreakContext): Answer | Promise<Answer>;
}

export interface BreakContext {
  /** The real service's answer. */
  honest(exchange: Exchange): Promise<Answer>;
  readonly origin: "api" | "smartDownload";
  readonly holds: ReleaseHoldings;
  /** The key that signed the manifest. */
  readonly privateKey: KeyObject;
}

/** A request as plain members, so that a break can change one and keep the others. */
export function plainExchange(exchange: Exchange): Exchange {
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
export function changeAnswer(
  picks: (answer: Answer, exchange: Exchange) => boolean,
  change: (answer: Answer, exchange: Exchange) => Answer,
): BrokenAnswer {
  return async (exchange, { honest }) => {
    const answer = await honest(exchange);
    return picks(answer, exchange) ? change(answer, exchange) : answer;
  };
}

/** Reads another request than the one that came. */
export function changeRequest(change: (exchange: Exchange) => Exchange): BrokenAnswer {
  return (exchange, { honest }) => honest(change(exchange));
}

export function withTarget(exchange: Exchange, target: string): Exchange {
  return { ...exchange, target };
}

export function pathOf({ target }: Exchange): string {
  return target.split("?")[0] ?? "";
}

export function queryOf({ target }: Exchange): string {
  const mark = target.indexOf("?");
  return mark < 0 ? "" : target.slice(mark + 1);
}

export function isPath(pattern: RegExp): (answer: Answer, exchange: Exchange) => boolean {
  return (_answer, exchange) => pattern.test(pathOf(exchange));
}

export function isOk(pattern: RegExp): (answer: Answer, exchange: Exchange) => boolean {
  return (answer, exchange) => answer.status === 200 && pattern.test(pathOf(exchange));
}

export function hasStatus(status: number): (answer: Answer) => boolean {
  return (answer) => answer.status === status;
}

export function isError(answer: Answer): boolean {
  return answer.status >= 400;
}

export function withHeader(answer: Answer, name: string, value: string): Answer {
  return { ...answer, headers: { ...withoutHeader(answer, name).headers, [name]: value } };
}

export function withoutHeader(answer: Answer, name: string): Answer {
  const kept = Object.entries(answer.headers).filter(
    ([key]) => key.toLowerCase() !== name.toLowerCase(),
  );
  return { ...answer, headers: Object.fromEntries(kept) };
}

export function withStatus(answer: Answer, status: number): Answer {
  return { ...answer, status };
}

export function withBody(answer: Answer, text: string): Answer {
  const sized = withHeader(answer, "Content-Length", String(Buffer.byteLength(text)));
  return { ...sized, body: text };
}

/** Edits the JSON of an answer in place or anew; an answer to HEAD has none and stays. */
export function editBody<T>(answer: Answer, edit: (body: T) => unknown): Answer {
  const { body } = answer;
  if (body === null || body instanceof ReadableStream) return answer;
  const value = JSON.parse(Buffer.from(body).toString("utf8")) as T;
  return withBody(answer, JSON.stringify(edit(value) ?? value));
}

export function withCode(answer: Answer, status: number, code: string): Answer {
  const coded = editBody<ErrorResponse>(answer, ({ error }) => ({ error: { ...error, code } }));
  return withStatus(coded, status);
}

export type Body = Record<string, unknown>;

export async function readText(exchange: Exchange): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of exchange.body()) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

export function withText(exchange: Exchange, text: string): Exchange {
  const sized = withRequestHeader(exchange, "content-length", String(Buffer.byteLength(text)));
  return {
    ...sized,
    async *body() {
      yield Buffer.from(text, "utf8");
    },
  };
}

export function withRequestHeader(
  exchange: Exchange,
  name: string,
  value: string | null,
): Exchange {
  return { ...exchange, header: (asked) => (asked === name ? value : exchange.header(asked)) };
}

/** A request header that the server does not see. */
export function ignoreHeader(
  name: string,
  picks: (exchange: Exchange) => boolean = () => true,
): BrokenAnswer {
  return (exchange, { honest }) =>
    honest(picks(exchange) ? withRequestHeader(exchange, name, null) : exchange);
}

export function isPost(exchange: Exchange, path: string): boolean {
  return exchange.method === "POST" && pathOf(exchange) === path;
}

/** The body of an answer, streamed or not. */
export async function readAnswer(answer: Answer): Promise<string> {
  return answer.body === null ? "" : new Response(answer.body).text();
}

/** Edits what a route answers when all is well. */
export function changeOk<T>(path: string, edit: (body: T) => T | object | void): BrokenAnswer {
  return async (exchange, { honest }) => {
    const answer = await honest(exchange);
    if (answer.status !== 200 || answer.body === null || pathOf(exchange) !== path) return answer;
    const value = JSON.parse(await readAnswer(answer)) as T;
    return withBody(answer, JSON.stringify(edit(value) ?? value));
  };
}

export function queryValue({ target }: Exchange, name: string): string | null {
  return new URLSearchParams(target.split("?")[1] ?? "").get(name);
}

/** The same address with its query edited. */
export function changeQuery(exchange: Exchange, edit: (query: URLSearchParams) => void): Exchange {
  const [path = "", search = ""] = exchange.target.split("?");
  const query = new URLSearchParams(search);
  edit(query);
  const text = query.toString();
  return { ...exchange, target: text === "" ? path : `${path}?${text}` };
}
