import Type, { type Static } from "typebox";
import { closedObject } from "../../src/contract/closed-object.ts";
import type { KeyRing } from "../../src/contract/release/catalog.ts";
import { BuildNumber, SemVer } from "../../src/contract/release/schemas.ts";

const LatestRelease = Type.Union([
  closedObject({ version: SemVer, buildNumber: BuildNumber }),
  Type.Null(),
]);

/** What the server has, as far as HTTP cannot show it. */
export const ReleaseFixtures = closedObject({
  /** The newest published release of a channel; null when the channel has none. */
  stable: Type.Optional(LatestRelease),
  beta: Type.Optional(LatestRelease),
  /** Versions that exist as drafts, which the server must not expose. */
  drafts: Type.Optional(Type.Array(SemVer)),
  withdrawn: Type.Optional(Type.Array(SemVer)),
});

export type ReleaseFixtures = Static<typeof ReleaseFixtures>;

/** The release service to test. Cases that need an absent member are skipped. */
export interface ReleaseInput {
  /** Where the run sends its API requests. */
  readonly baseUrl: string;
  /** Where the run sends its requests to the smart-download selector. */
  readonly smartDownloadUrl?: string;
  /** The configured base URL of the server; `baseUrl` when absent. */
  readonly publicUrl?: string;
  /** The configured smart-download URL of the server; `smartDownloadUrl` when absent. */
  readonly publicSmartDownloadUrl?: string;
  /** The address to which an unknown platform is sent. */
  readonly websiteDownloadUrl?: string;
  /** The address of the same server without releases and without a manifest. */
  readonly emptyUrl?: string;
  /** The public keys that clients pin. */
  readonly keys?: KeyRing;
  /** The product of the manifest. */
  readonly product?: string;
  /** What the catalogue of the server holds, so that more can be checked. */
  readonly fixtures?: ReleaseFixtures;
}
