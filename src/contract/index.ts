/** `trellis/contract`: routes, schemas, values and error codes of the services. */
export { EVENTS_CONTRACT, EVENTS_ROUTES } from "./events/routes.ts";
export * from "./release/catalog.ts";
export * from "./release/errors.ts";
export * from "./release/feed-routes.ts";
export * from "./release/feed-values.ts";
export * from "./release/routes.ts";
export * from "./release/schemas.ts";
export * from "./release/values.ts";
export { contractToOpenApi } from "./openapi.ts";
export { createChecker, type Checker, type SchemaError } from "./check.ts";
export { isDateTime, parseDateTime } from "./date-time.ts";
export type { Parameter, Route, ServiceContract } from "./route.ts";
