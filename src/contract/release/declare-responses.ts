import Type, { type TSchema } from "typebox";
import { createErrorResponses, type DeclaredResponse } from "../route.ts";
import { RELEASE_STRICTNESS } from "../strictness.ts";
import type { ReleaseErrorCode } from "./errors.ts";
import { ErrorResponse } from "./schemas.ts";

export const cacheControl = {
  "Cache-Control": { description: "How long the response may be cached" },
};
const validator = {
  ETag: { description: "Opaque validator of the exact bytes; each encoding has its own" },
  Vary: { description: "`Accept-Encoding`" },
};
/** Headers of a response that has a validator, and is compressed for clients that accept it. */
export const negotiated = {
  ...validator,
  "Content-Encoding": { description: "`br` or `gzip`, for bodies of 1 KiB and more" },
};
export const conditional = {
  "If-None-Match": {
    description: "An ETag received earlier, of any encoding; a match gets a 304 response",
    schema: Type.String(),
  },
  "Accept-Encoding": {
    description: "The encodings that the client takes, with their weights",
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
  headers: { ...cacheControl, ...validator },
};
export const redirect = (description: string): DeclaredResponse => ({
  description,
  headers: { ...location, ...cacheControl },
});

export function failures(...codes: ReleaseErrorCode[]): Record<number, DeclaredResponse> {
  const response = { schema: ErrorResponse, headers: cacheControl };
  const own = codes.map(RELEASE_STRICTNESS.pairOf);
  return createErrorResponses([...own, ...RELEASE_STRICTNESS.errorsOn(["every route"])], response);
}

/** JSON with a validator: a request that has it already gets a 304. */
export const validated = (
  schema: TSchema,
  description: string,
  ...codes: readonly ReleaseErrorCode[]
) => ({
  requestHeaders: conditional,
  responses: {
    200: okResponse(schema, description, negotiated),
    304: notModified,
    ...failures(...codes),
  },
});
