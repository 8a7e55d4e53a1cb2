/** What must be waited for before a handler can run. */
import { createChecker } from "../contract/check.ts";
import type { Route } from "../contract/route.ts";
import type { RawRequest } from "./raw-request.ts";
import type { HttpError } from "./http-error.ts";
import { readBytes, readJson } from "./read-body.ts";

export interface Prepared {
  readonly kind: "prepared";
  readonly principal: unknown;
  readonly content: unknown;
}

export type PrepareRequest = (exchange: RawRequest) => Promise<Prepared | HttpError>;

/** How a service knows who asks, and how much it reads. */
export interface PreparationPolicy {
  authenticate?(exchange: RawRequest): Promise<unknown>;
  readonly maxBodyBytes?: number;
}

/** Authentication, then the body: nobody's body is read for a stranger. */
export function createPreparation(
  route: Route,
  policy: PreparationPolicy,
): { readonly prepare?: PrepareRequest } {
  const { auth, body } = route;
  if (route.reads === "raw" || (auth === undefined && body === undefined)) return {};
  const checker = body === undefined ? undefined : createChecker(body.schema);
  const maxBytes = policy.maxBodyBytes ?? 0;
  return {
    prepare: async (exchange) => {
      const principal = auth === undefined ? undefined : await policy.authenticate?.(exchange);
      if (principal === null) return { kind: "unauthenticated" };
      if (body === undefined) return { kind: "prepared", principal, content: undefined };
      const rules = { mediaType: body.mediaType, maxBytes };
      if (body.parsedBy === "handler") {
        const raw = await readBytes(exchange, rules);
        return raw.kind === "bytes" ? { kind: "prepared", principal, content: raw } : raw;
      }
      const content = await readJson(exchange, rules);
      if (content.kind !== "json") return content;
      return checker?.is(content.value) === true
        ? { kind: "prepared", principal, content }
        : { kind: "invalid-body", code: body.invalid };
    },
  };
}
