import type { Origin, ReceivedResponse } from "./http.ts";

/** What the servers of all services have, for the checks that all services share. */
export interface ServerUnderTest {
  readonly api: Origin;
  /** The configured base URL, without a final slash. */
  readonly publicUrl: string;
  /** Checks one response of every kind that the service has. */
  checkEveryResponse(check: (response: ReceivedResponse) => unknown): Promise<void>;
}
