/** A request as the kit and its handlers read it, and what its headers say of the browser. */
import { randomBytes } from "node:crypto";
import { isLoopback } from "../contract/loopback.ts";
import type { ReadClientAddress } from "./client-address.ts";

/** A request as it comes from Node or from `fetch`. */
export interface RawRequest {
  readonly method: string;
  /** The request target as it came: not decoded, no dot segment resolved. */
  readonly target: string;
  /** A header's value by its lower-case name; the values of a repeated header are joined. */
  header(name: string): string | null;
  readonly remoteAddress: string | undefined;
  /** The body's chunks; can be read once. */
  body(): AsyncIterable<Uint8Array>;
  /** Aborted when the client goes away before its request is whole. */
  readonly signal?: AbortSignal;
}

/** The request as its handler sees it, beside the checked parameters. */
export interface RequestContext<Principal = unknown, Content = unknown> extends Pick<
  RawRequest,
  "method" | "target" | "header" | "body"
> {
  readonly requestId: string;
  /** The query as it came. */
  readonly search: string;
  clientAddress(): string;
  /** The result of the authentication, on a route with `auth`. */
  readonly principal: Principal;
  /** The body, on a route that declares one: checked, with the text it was parsed from. */
  readonly content: Content;
}

/** A class, so that the methods are shared by all requests. */
export class HandlerContext implements RequestContext {
  principal: unknown;
  content: unknown;
  readonly requestId: string;
  readonly search: string;
  readonly #request: RawRequest;
  readonly #readClientAddress: ReadClientAddress;

  constructor(
    request: RawRequest,
    search: string,
    requestId: string,
    readClientAddress: ReadClientAddress,
  ) {
    this.requestId = requestId;
    this.search = search;
    this.#request = request;
    this.#readClientAddress = readClientAddress;
  }

  get method(): string {
    return this.#request.method;
  }

  get target(): string {
    return this.#request.target;
  }

  header(name: string): string | null {
    return this.#request.header(name);
  }

  body(): AsyncIterable<Uint8Array> {
    return this.#request.body();
  }

  clientAddress(): string {
    const request = this.#request;
    return this.#readClientAddress(request.remoteAddress, request.header("x-forwarded-for"));
  }
}

export function createRequestId(): string {
  return randomBytes(16).toString("base64url");
}

/** Whether the client shows pages, as browsers do. */
export function acceptsHtml(request: Pick<RawRequest, "header">): boolean {
  return (request.header("accept") ?? "").includes("text/html");
}

/**
 * Whether the browser loads the response as a page, as far as it says so (Fetch Metadata): it does not
 * for the images and frames of other sites.
 */
export function isPageLoad(request: Pick<RawRequest, "header">): boolean {
  const destination = request.header("sec-fetch-dest");
  return destination === null || destination === "document";
}

/**
 * Whether a browser opened the page at another host than that of `origin`. The result is only for
 * words and notices: any client can choose the header. A proxy may replace the host by that of its
 * upstream, and then the host at which the page was opened is unknown.
 */
export function isOpenedElsewhere(request: Pick<RawRequest, "header">, origin: string): boolean {
  const forwarded = request.header("x-forwarded-host");
  const host = (forwarded ?? request.header("host"))?.toLowerCase();
  if (host === undefined || host === new URL(origin).host) return false;
  const isProxied = request.header("x-forwarded-for") !== null;
  return forwarded !== null || !isProxied || !isLoopback(host.replace(/:\d+$/, ""));
}
