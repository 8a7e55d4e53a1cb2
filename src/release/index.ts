/** `trellis/release`: the release service, for embedding. */
export {
  createReleaseService,
  type ReleaseNotice,
  type ReleaseService,
  type ReleaseServiceOptions,
} from "./service.ts";
export { CatalogError } from "./catalog.ts";
export type { CatalogFileError } from "../rules/release/catalog-file-error.ts";
export type { RequestLog, RequestLogEntry } from "../http/request-log.ts";
export { createNodeHandler } from "../http/node-handler.ts";
