import {
  changeResponse,
  changeRequest,
  pathOf,
  queryOf,
  withCode,
  withTarget,
  type ReleaseBreak,
  toBreaks,
} from "./break.ts";
import type { RawRequest } from "../../../src/http/request.ts";

export const BREAKS_OF_ADDRESSES = toBreaks<ReleaseBreak>({
  "paths-are-case-sensitive": {
    "reads paths in any case": changeRequest((request) =>
      withPath(request, (path) => path.toLowerCase()),
    ),
  },
  "trailing-slashes-are-not-found": {
    "accepts a slash at the end": changeRequest((request) =>
      withPath(request, (path) => path.replace(/(?<=.)\/$/, "")),
    ),
  },
  "empty-segments-are-not-found": {
    "reads two slashes as one": changeRequest((request) =>
      withPath(request, (path) => path.replaceAll(/\/+/g, "/")),
    ),
  },
  "dot-segments-are-not-resolved": {
    "resolves dot segments": changeRequest((request) =>
      withPath(request, (path) => new URL(`http://host${path}`).pathname),
    ),
  },
  "encoded-slashes-stay-in-their-segment": {
    "reads an encoded slash as a separator": changeRequest((request) =>
      withPath(request, (path) => path.replaceAll("%2F", "/")),
    ),
  },
  "malformed-percent-encoding-in-a-path-is-not-found": {
    "fails on a path that cannot be decoded": changeResponse(
      (_response, request) => decode(pathOf(request)) === null,
      (response) => withCode(response, 500, "internal_error"),
    ),
  },
  "path-values-are-decoded-once": {
    "decodes paths twice": changeRequest((request) =>
      withPath(request, (path) => decode(path) ?? path),
    ),
    "does not decode paths": changeRequest((request) =>
      withPath(request, (path) => path.replaceAll("%", "%25")),
    ),
  },
  "bodies-are-ignored": {
    "refuses a body": changeResponse(
      (_response, { header }) => header("transfer-encoding") !== null,
      (response) => withCode(response, 404, "not_found"),
    ),
  },
  "over-long-targets-are-not-found": {
    "serves targets of any length": changeRequest((request) =>
      withTarget(request, request.target.slice(0, 8000)),
    ),
    "refuses targets of more than 4 KiB": changeRequest((request) =>
      request.target.length > 4096 ? withTarget(request, "/".repeat(9000)) : request,
    ),
  },
  "repeated-query-parameters-are-invalid": {
    "takes the first of a repeated parameter": changeRequest((request) => {
      const names = new Set<string>();
      return withParts(request, (parts) =>
        parts.filter((part) => {
          const name = part.split("=")[0] ?? "";
          return !names.has(name) && names.add(name);
        }),
      );
    }),
  },
  "malformed-percent-encoding-in-a-query-is-invalid": {
    "drops query values that cannot be decoded": changeRequest((request) =>
      withParts(request, (parts) => parts.filter((part) => decode(part) !== null)),
    ),
  },
  "unknown-query-parameters-are-ignored": {
    "refuses unknown parameters": changeRequest((request) =>
      queryOf(request).includes("utm_source") ? withTarget(request, "/unknown") : request,
    ),
  },
  "channel-is-stable-or-beta, download-checks-in-order": {
    "takes an unknown channel for stable": changeRequest((request) =>
      withParts(request, (parts) =>
        parts.filter((part) => !part.startsWith("channel=") || /=(?:stable|beta)$/.test(part)),
      ),
    ),
  },
});

function withPath(request: RawRequest, change: (path: string) => string): RawRequest {
  const query = queryOf(request);
  return withTarget(request, change(pathOf(request)) + (query === "" ? "" : `?${query}`));
}

function withParts(request: RawRequest, change: (parts: string[]) => string[]): RawRequest {
  const query = queryOf(request);
  if (query === "") return request;
  return withTarget(request, `${pathOf(request)}?${change(query.split("&")).join("&")}`);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
