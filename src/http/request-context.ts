/** What a handler is told of a request. */
import type { ReadClientAddress } from "./client-address.ts";
import type { RawRequest } from "./raw-request.ts";

/** What a handler may know of the request beside its input. */
export interface RequestContext<Principal = unknown, Content = unknown> extends Pick<
  RawRequest,
  "method" | "header" | "body"
> {
  readonly requestId: string;
  /** The query as it came. */
  readonly search: string;
  clientAddress(): string;
  /** Who asks, on a route that wants to know. */
  readonly principal: Principal;
  /** The body, on a route that takes one: checked, and as the very text it came in. */
  readonly content: Content;
}

/** A class, because every request makes one: what most handlers never ask for costs nothing. */
export class Context implements RequestContext {
  principal: unknown;
  content: unknown;
  readonly search: string;
  readonly requestId: string;
  readonly #exchange: RawRequest;
  readonly #readClientAddress: ReadClientAddress;

  constructor(
    exchange: RawRequest,
    search: string,
    requestId: string,
    readClientAddress: ReadClientAddress,
  ) {
    this.search = search;
    this.requestId = requestId;
    this.#exchange = exchange;
    this.#readClientAddress = readClientAddress;
  }

  get method(): string {
    return this.#exchange.method;
  }

  header(name: string): string | null {
    return this.#exchange.header(name);
  }

  body(): AsyncIterable<Uint8Array> {
    return this.#exchange.body();
  }

  clientAddress(): string {
    const exchange = this.#exchange;
    return this.#readClientAddress(exchange.remoteAddress, exchange.header("x-forwarded-for"));
  }
}
