import { readFileSync } from "node:fs";

/** The version of the package. `src` and `dist` are equally deep, so the path is right in both. */
export const PRODUCT_VERSION: string = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  }
).version;
