/** What the server asks of tracing: no more than `open-tracing.ts` needs of the SDK. */
import type { ObservedRoute, RouteObserver } from "../../http/request-observer.ts";

export interface Tracing {
  /** One span for each request, named by the declared route. `instance` is one of several. */
  request(
    service: string,
    route: ObservedRoute | null,
    instance?: string,
  ): NonNullable<RouteObserver["trace"]>;
  /** One span for each transaction of a request. */
  transaction(service: string, instance?: string): <T>(run: () => Promise<T>) => Promise<T>;
  /** Sends the spans that wait. */
  close(): Promise<void>;
}
