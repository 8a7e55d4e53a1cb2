/** Compares every line of an archive with what was signed. Most commands read the line that they need. */
import type { Catalog, CatalogArchive } from "../../rules/release/catalog.ts";
import type { CatalogFileError } from "../../rules/release/catalog-file-error.ts";
import { DamagedArchiveError } from "./archive-error.ts";

/** An archive that was found sound is not compared again. The search finds null where nothing is damaged. */
export function createDamageSearch(): (catalog: Catalog) => CatalogFileError | null {
  let sound: CatalogArchive | undefined;
  return ({ archive }) => {
    if (archive === undefined || archive === sound) return null;
    try {
      for (const entry of archive.entries.values()) archive.readLine(entry);
    } catch (error) {
      if (error instanceof DamagedArchiveError) return error.error;
      throw error;
    }
    sound = archive;
    return null;
  };
}
