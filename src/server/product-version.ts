import { readFileSync } from "node:fs";

/** As the package says; the folders of source and of what is built are equally deep. */
export const PRODUCT_VERSION: string = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  }
).version;
