import { readBuild } from "../src/database/product-build.ts";

/**
 * The module that a build puts in the place of the one that asks git, by its path. A tree without git, such as the
 * context of a container image, names its commit in `TRELLIS_BUILD`.
 */
export const BUILD_MODULE: Readonly<Record<string, string>> = {
  "src/database/product-build.ts": `export function readBuild() { return ${JSON.stringify(findBuild())}; }`,
};

function findBuild(): string | null {
  const given = process.env["TRELLIS_BUILD"] ?? "";
  if (given === "") return readBuild();
  if (!/^[0-9a-f]{8,40}$/.test(given)) throw new Error("TRELLIS_BUILD is not a commit");
  return given.slice(0, 8);
}
