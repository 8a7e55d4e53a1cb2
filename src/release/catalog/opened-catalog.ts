import type { ManifestPayload } from "../../contract/release/schemas.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import type { ManifestComparison } from "../../rules/release/compare-manifest.ts";

export interface LoadedManifest {
  /** The exact bytes of manifest.json: they are what is served. */
  readonly envelope: Buffer<ArrayBuffer>;
  readonly keyId: string;
  readonly payload: ManifestPayload;
}

/** A catalogue that is valid at any time: what depends on the time are its warnings. */
export interface OpenedCatalog extends Pick<ManifestComparison, "neverSigned" | "unsigned"> {
  readonly kind: "opened";
  readonly catalog: Catalog;
  readonly manifest: LoadedManifest | null;
}
