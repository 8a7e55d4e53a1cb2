/** What a program that watches a service learns of its requests: the declared route, never the path. */
import type { Method } from "../contract/route.ts";
import type { CompleteResponse } from "./response.ts";

export interface RequestObserver {
  /**
   * Called once for each route when the service is made, so that a request finds its counters ready. Null
   * stands for the requests that no route takes: unknown paths, other methods, preflights.
   */
  route(route: ObservedRoute | null): RouteObserver;
}

export interface ObservedRoute {
  readonly method: Method;
  /** The path as it is declared: `/api/v1/releases/{version}`. */
  readonly path: string;
}

export interface RouteObserver {
  /** `durationMs` is the time until the response begins; its body may take longer. */
  ended(status: number, durationMs: number): void;
  /** Runs what makes the response, as a span of a trace. */
  trace?(respond: () => TracedResponse): TracedResponse;
}

export type TracedResponse = CompleteResponse | Promise<CompleteResponse>;
