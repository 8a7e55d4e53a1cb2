import Type, { type TSchema } from "typebox";
import { createErrorResponses, type DeclaredResponse } from "../route.ts";
import { RELEASE_ERRORS, type ReleaseErrorCode } from "./errors.ts";
import { ErrorResponse } from "./schemas.ts";

export const cacheControl = {
  "Cache-Control": { description: "How long the response may be cached" },
};
export const etag = { ETag: { description: "Opaque validator of the exact bytes" } };
export const ifNoneMatch = {
  "If-None-Match": {
    description: "An ETag received earlier; a match gets a 304 response",
    schema: Type.String(),
  },
};
const location = { Location: { description: "Absolute address", required: true } };

export const okResponse = (
  schema: TSchema,
  description: string,
  headers = {},
): DeclaredResponse => ({
  description,
  schema,
  headers: { ...cacheControl, ...headers },
});
export const notModified: DeclaredResponse = {
  description: "The response has not changed since the given ETag",
  headers: { ...cacheControl, ...etag },
};
export const redirect = (description: string): DeclaredResponse => ({
  description,
  headers: { ...location, ...cacheControl },
});

export function failures(...codes: ReleaseErrorCode[]): Record<number, DeclaredResponse> {
  const response = { schema: ErrorResponse, headers: cacheControl };
  return createErrorResponses(RELEASE_ERRORS, [...codes, "internal_error"], response);
}

/** JSON with a validator: a request that has it already gets a 304. */
export const validated = (
  schema: TSchema,
  description: string,
  ...codes: readonly ReleaseErrorCode[]
) => ({
  requestHeaders: ifNoneMatch,
  responses: {
    200: okResponse(schema, description, etag),
    304: notModified,
    ...failures(...codes),
  },
});
