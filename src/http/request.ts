import type { ReadClientAddress } from "./client-address.ts";

/** A request as the kit reads it from Node or from `fetch`. */
export interface RawRequest {
  readonly method: string;
  /** The request target as it came: not decoded, no dot segment resolved. */
  readonly target: string;
  /** A header's value by its lower-case name; the values of a repeated header are joined. */
  header(name: string): string | null;
  readonly remoteAddress: string | undefined;
  /** The body's chunks; can be read once. */
  body(): AsyncIterable<Uint8Array>;
}

/** The request as its handler sees it, beside the checked parameters. */
export interface RequestContext<Principal = unknown, Content = unknown> extends Pick<
  RawRequest,
  "method" | "header" | "body"
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

/**
 * Whether the browser loads the response as a page, as far as it says so (Fetch Metadata): it does not
 * for the images and frames of other sites.
 */
export function isPageLoad(request: Pick<RawRequest, "header">): boolean {
  const destination = request.header("sec-fetch-dest");
  return destination === null || destination === "document";
}
