/** Exports two catalogues in turn until it is ended: the victim of a test. */
import { exportRelease } from "../../../src/release/export/export-release.ts";
import { ADDRESSES } from "./addresses.ts";

const [directory = "", ...catalogs] = process.argv.slice(2);
const shared = { ...ADDRESSES, directory, deployedAt: null, upstream: null, buildSite: null };
for (let turn = 0; ; turn++) {
  const catalog = catalogs[turn % catalogs.length] ?? "";
  await exportRelease({ ...shared, catalog, now: Date.now() });
  process.send?.(turn);
}
