import type { Release, ReleaseSummary } from "../../src/contract/release/schemas.ts";
import type { ReleaseChannel } from "../../src/contract/release/values.ts";
import { toCases, type ConformanceCase } from "../case.ts";
import type { ServerUnderTest } from "../http-cases.ts";
import type { Origin } from "../http.ts";
import type { ReleaseInput } from "./input.ts";

export type ReleaseCase = ConformanceCase<ReleaseServerUnderTest>;
export const releaseCases = toCases<ReleaseServerUnderTest>;

/** The server and what the run read from it; each resource is read once. */
export interface ReleaseServerUnderTest extends ServerUnderTest {
  readonly input: ReleaseInput;
  /** The smart-download selector; not testable without its URL. */
  selector(): Origin;
  /** A server without releases and manifest; not testable without its URL. */
  empty(): Origin;
  /** The published releases of a channel, in the order of the list. */
  list(channel: ReleaseChannel): Promise<readonly ReleaseSummary[]>;
  /** The published releases of both channels, newest build first. */
  published(): Promise<readonly ReleaseSummary[]>;
  release(version: string): Promise<Release>;
  latest(channel: ReleaseChannel): Promise<Release | null>;
  /** The newest releases of the channels that have any; not testable when none has. */
  latestOfEach(): Promise<readonly Release[]>;
  /** A channel with releases; not testable when there is none. */
  someChannel(): Promise<ReleaseChannel>;
  /** A channel without releases, here or at the empty server; not testable when there is none. */
  emptyChannel(): Promise<{ readonly api: Origin; readonly channel: ReleaseChannel }>;
}
