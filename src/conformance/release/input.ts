/** What a run against a release server is told. Everything but the address may be left out. */
import Type, { type Static } from "typebox";
import type { KeyRing } from "../../contract/release/catalog.ts";
import { BuildNumber, SemVer } from "../../contract/release/schemas.ts";

const closed = { additionalProperties: false } as const;

const LatestRelease = Type.Union([
  Type.Object({ version: SemVer, buildNumber: BuildNumber }, closed),
  Type.Null(),
]);

/** What the server is known to hold, which cannot all be learned over HTTP. */
export const ReleaseHoldings = Type.Object(
  {
    /** The newest published release of a channel; null when the channel has none. */
    stable: Type.Optional(LatestRelease),
    beta: Type.Optional(LatestRelease),
    /** Versions that exist as drafts: nobody may learn of them. */
    drafts: Type.Optional(Type.Array(SemVer)),
    /** Versions that were taken back. */
    withdrawn: Type.Optional(Type.Array(SemVer)),
  },
  closed,
);

export type ReleaseHoldings = Static<typeof ReleaseHoldings>;

export interface ReleaseInput {
  /** Where the API is asked. */
  readonly baseUrl: string;
  /** Where the smart-download selector is asked. */
  readonly smartDownloadUrl?: string;
  /** The base URL the server is set up with, when that is not where it is asked. */
  readonly publicUrl?: string;
  /** The smart-download URL the server is set up with, when that is not where it is asked. */
  readonly publicSmartDownloadUrl?: string;
  readonly websiteDownloadUrl?: string;
  /** The same server with nothing published and no manifest. */
  readonly emptyUrl?: string;
  /** The public keys that clients pin. */
  readonly keys?: KeyRing;
  readonly product?: string;
  readonly holds?: ReleaseHoldings;
}
