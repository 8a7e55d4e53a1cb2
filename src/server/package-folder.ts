import { fileURLToPath } from "node:url";

/** The folder of the package, with its documentation; null in the single executable, which has no files. */
export const PACKAGE_FOLDER: string | null = fileURLToPath(
  new URL(".", new URL("../../package.json", import.meta.url)),
);
