import type { SyncLimits } from "../../src/contract/sync/values.ts";
import { toCases, type ConformanceCase } from "../case.ts";
import type { ServerUnderTest } from "../http-cases.ts";
import type { ReceivedResponse, SentHeaders } from "../http.ts";
import type { TestDevice } from "./device.ts";
import type { SyncInput } from "./input.ts";
import type { TestKeys } from "./test-keys.ts";

/** The limits that the capabilities name. */
export type PublishedLimits = Omit<SyncLimits, "authorizePerMinute">;

export type SyncCase = ConformanceCase<SyncServerUnderTest>;
export const syncCases = toCases<SyncServerUnderTest>;

export interface SyncServerUnderTest extends ServerUnderTest {
  readonly input: SyncInput;
  readonly redirectUri: string;
  readonly csrfHeader: string;
  post(path: string, value: unknown, headers?: SentHeaders): Promise<ReceivedResponse>;
  /** An id that is unique across runs and calls. */
  newId(what: string): string;
  /** The id of a new entity, which the clean-up deletes. The profile `sealed` has no clear ones. */
  newSetting(): string;
  newHabit(): string;
  newSealedId(): string;
  limits(): Promise<PublishedLimits>;
  /** A device that all cases share and none revokes. */
  device(): Promise<TestDevice>;
  /** Signs in a new device, or one with this id. */
  signIn(deviceId?: string): Promise<TestDevice>;
  /** The same server, but a rate-limited response is returned at once. */
  withoutWaiting(): SyncServerUnderTest;
  /**
   * Runs work that sends at most four wrong proofs, one such work at a time, and signs in after it:
   * after a fifth failure in a row the throttle would refuse the sign-in. The work is done as a
   * known browser, whose failures are counted apart; on a server that knows no browsers, a success
   * clears the failures.
   */
  withFailedSignIns<T>(work: (server: SyncServerUnderTest) => Promise<T>): Promise<T>;
  /** Runs one work at a time with the keys of a sealed account: a new key would refuse the pushes of other works. */
  withKeys<T>(work: (keys: TestKeys) => Promise<T>): Promise<T>;
  /** Signs the devices of the run out and deletes its entities, as far as the server allows. */
  cleanUp(): Promise<void>;
}
