import type { KeyObject } from "node:crypto";
import type { Server } from "node:http";
import type { ReleaseFixtures } from "../../../conformance/index.ts";
import type { ErrorResponse } from "../../../src/contract/release/schemas.ts";
import { joinBody, type HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/request.ts";

/** Responds in place of the real service, which it may call. */
export type BrokenResponder = (
  request: RawRequest,
  context: { real(request: RawRequest): Promise<HttpResponse> },
) => Promise<HttpResponse>;

/** One change that makes the real service a broken one. */
export interface ServiceBreak {
  /** What the broken service does. */
  readonly name: string;
  /** The cases that must fail. */
  readonly caughtBy: readonly string[];
  readonly respond?: BrokenResponder;
  /** Changes the HTTP server below the service. */
  tamper?(server: Server): void;
}

export interface ReleaseBreak extends Omit<ServiceBreak, "respond"> {
  respond?(request: RawRequest, context: BreakContext): HttpResponse | Promise<HttpResponse>;
}

export interface BreakContext {
  /** The response of the real service. */
  real(request: RawRequest): Promise<HttpResponse>;
  readonly origin: "api" | "smartDownload";
  readonly fixtures: ReleaseFixtures;
  /** The key that signed the manifest. */
  readonly privateKey: KeyObject;
}

/** By the ids of the cases that must fail, with commas between: what each of them does, and how. */
export type BreakTable<How> = Readonly<Record<string, Readonly<Record<string, How>>>>;

export function readBreakTable<How>(table: BreakTable<How>) {
  return Object.entries(table).flatMap(([ids, rows]) =>
    Object.entries(rows).map(([name, how]) => ({ name, caughtBy: ids.split(", "), how })),
  );
}

/** A function as the value of a row is its `respond`. */
export function toBreaks<Break extends Pick<ServiceBreak, "name" | "caughtBy">>(
  table: BreakTable<
    | (Break extends { respond?: infer Respond } ? NonNullable<Respond> : never)
    | Omit<Break, "name" | "caughtBy">
  >,
): readonly Break[] {
  return readBreakTable(table).map(({ name, caughtBy, how }) => {
    const changes = typeof how === "function" ? { respond: how } : how;
    return { name, caughtBy, ...changes } as unknown as Break;
  });
}

/** A request as a plain object, so that a break can replace some members. */
export function toPlainRequest(request: RawRequest): RawRequest {
  const { method, target, remoteAddress } = request;
  return {
    method,
    target,
    remoteAddress,
    header: (name) => request.header(name),
    body: () => request.body(),
  };
}

/** Changes the responses for which `picks` is true. */
export function changeResponse(
  picks: (response: HttpResponse, request: RawRequest) => boolean,
  change: (response: HttpResponse, request: RawRequest) => HttpResponse,
): BrokenResponder {
  return async (request, { real }) => {
    const response = await real(request);
    return picks(response, request) ? change(response, request) : response;
  };
}

/** Passes a changed request to the real service. */
export function changeRequest(change: (request: RawRequest) => RawRequest): BrokenResponder {
  return (request, { real }) => real(change(request));
}

export function withTarget(request: RawRequest, target: string): RawRequest {
  return { ...request, target };
}

export function pathOf({ target }: RawRequest): string {
  return target.split("?")[0] ?? "";
}

export function queryOf({ target }: RawRequest): string {
  const mark = target.indexOf("?");
  return mark < 0 ? "" : target.slice(mark + 1);
}

export function isPath(pattern: RegExp): (response: HttpResponse, request: RawRequest) => boolean {
  return (_response, request) => pattern.test(pathOf(request));
}

export function isOk(pattern: RegExp): (response: HttpResponse, request: RawRequest) => boolean {
  return (response, request) => response.status === 200 && pattern.test(pathOf(request));
}

export function hasStatus(status: number): (response: HttpResponse) => boolean {
  return (response) => response.status === status;
}

export function isError(response: HttpResponse): boolean {
  return response.status >= 400;
}

export function withHeader(response: HttpResponse, name: string, value: string): HttpResponse {
  return { ...response, headers: { ...withoutHeader(response, name).headers, [name]: value } };
}

export function withoutHeader(response: HttpResponse, name: string): HttpResponse {
  const kept = Object.entries(response.headers).filter(
    ([key]) => key.toLowerCase() !== name.toLowerCase(),
  );
  return { ...response, headers: Object.fromEntries(kept) };
}

export function withStatus(response: HttpResponse, status: number): HttpResponse {
  return { ...response, status };
}

export function withBody(response: HttpResponse, text: string): HttpResponse {
  const sized = withHeader(response, "Content-Length", String(Buffer.byteLength(text)));
  return { ...sized, body: text };
}

/** `edit` changes the JSON body or returns another; a response to HEAD has none. */
export function editBody<T>(response: HttpResponse, edit: (body: T) => unknown): HttpResponse {
  const body = joinBody(response.body);
  if (body === null || body instanceof ReadableStream) return response;
  const value = JSON.parse(Buffer.from(body).toString("utf8")) as T;
  return withBody(response, JSON.stringify(edit(value) ?? value));
}

export function withCode(response: HttpResponse, status: number, code: string): HttpResponse {
  const coded = editBody<ErrorResponse>(response, ({ error }) => ({ error: { ...error, code } }));
  return withStatus(coded, status);
}

export type Body = Record<string, unknown>;

export async function readText(request: RawRequest): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request.body()) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

export function withText(request: RawRequest, text: string): RawRequest {
  const sized = withRequestHeader(request, "content-length", String(Buffer.byteLength(text)));
  return {
    ...sized,
    async *body() {
      yield Buffer.from(text, "utf8");
    },
  };
}

export function withRequestHeader(
  request: RawRequest,
  name: string,
  value: string | null,
): RawRequest {
  return { ...request, header: (asked) => (asked === name ? value : request.header(asked)) };
}

/** Hides a request header from the real service. */
export function ignoreHeader(
  name: string,
  picks: (request: RawRequest) => boolean = () => true,
): BrokenResponder {
  return (request, { real }) =>
    real(picks(request) ? withRequestHeader(request, name, null) : request);
}

/** Takes no notice of bodies but those of a POST. */
export const ignoreUnexpectedBodies: BrokenResponder = (request, { real }) =>
  real(
    request.method === "POST"
      ? request
      : ["content-length", "transfer-encoding"].reduce(
          (changed, name) => withRequestHeader(changed, name, null),
          request,
        ),
  );

export function isPost(request: RawRequest, path: string): boolean {
  return request.method === "POST" && pathOf(request) === path;
}

/** The body of a response, streamed or not. */
export async function readResponseBody(response: HttpResponse): Promise<string> {
  return response.body === null ? "" : new Response(joinBody(response.body)).text();
}

/** Edits the bodies of successful responses. */
export function changeOk<T>(path: string, edit: (body: T) => T | object | void): BrokenResponder {
  return async (request, { real }) => {
    const response = await real(request);
    if (response.status !== 200 || response.body === null || pathOf(request) !== path)
      return response;
    const value = JSON.parse(await readResponseBody(response)) as T;
    return withBody(response, JSON.stringify(edit(value) ?? value));
  };
}

export function queryValue({ target }: RawRequest, name: string): string | null {
  return new URLSearchParams(target.split("?")[1] ?? "").get(name);
}

export function changeQuery(
  request: RawRequest,
  edit: (query: URLSearchParams) => void,
): RawRequest {
  const [path = "", search = ""] = request.target.split("?");
  const query = new URLSearchParams(search);
  edit(query);
  const text = query.toString();
  return { ...request, target: text === "" ? path : `${path}?${text}` };
}
