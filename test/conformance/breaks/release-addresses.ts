import {
  changeResponse,
  changeRequest,
  pathOf,
  queryOf,
  withCode,
  withTarget,
  type ReleaseBreak,
} from "./break.ts";
import type { RawRequest } from "../../../src/http/request.ts";

export const BREAKS_OF_ADDRESSES: readonly ReleaseBreak[] = [
  {
    name: "reads paths in any case",
    caughtBy: ["paths-are-case-sensitive"],
    respond: changeRequest((request) => withPath(request, (path) => path.toLowerCase())),
  },
  {
    name: "accepts a slash at the end",
    caughtBy: ["trailing-slashes-are-not-found"],
    respond: changeRequest((request) => withPath(request, (path) => path.replace(/(?<=.)\/$/, ""))),
  },
  {
    name: "reads two slashes as one",
    caughtBy: ["empty-segments-are-not-found"],
    respond: changeRequest((request) => withPath(request, (path) => path.replaceAll(/\/+/g, "/"))),
  },
  {
    name: "resolves dot segments",
    caughtBy: ["dot-segments-are-not-resolved"],
    respond: changeRequest((request) =>
      withPath(request, (path) => new URL(`http://host${path}`).pathname),
    ),
  },
  {
    name: "reads an encoded slash as a separator",
    caughtBy: ["encoded-slashes-stay-in-their-segment"],
    respond: changeRequest((request) => withPath(request, (path) => path.replaceAll("%2F", "/"))),
  },
  {
    name: "fails on a path that cannot be decoded",
    caughtBy: ["malformed-percent-encoding-in-a-path-is-not-found"],
    respond: changeResponse(
      (_response, request) => decode(pathOf(request)) === null,
      (response) => withCode(response, 500, "internal_error"),
    ),
  },
  {
    name: "decodes paths twice",
    caughtBy: ["path-values-are-decoded-once"],
    respond: changeRequest((request) => withPath(request, (path) => decode(path) ?? path)),
  },
  {
    name: "does not decode paths",
    caughtBy: ["path-values-are-decoded-once"],
    respond: changeRequest((request) => withPath(request, (path) => path.replaceAll("%", "%25"))),
  },
  {
    name: "refuses a body",
    caughtBy: ["bodies-are-ignored"],
    respond: changeResponse(
      (_response, { header }) => header("transfer-encoding") !== null,
      (response) => withCode(response, 404, "not_found"),
    ),
  },
  {
    name: "serves targets of any length",
    caughtBy: ["over-long-targets-are-not-found"],
    respond: changeRequest((request) => withTarget(request, request.target.slice(0, 8000))),
  },
  {
    name: "refuses targets of more than 4 KiB",
    caughtBy: ["over-long-targets-are-not-found"],
    respond: changeRequest((request) =>
      request.target.length > 4096 ? withTarget(request, "/".repeat(9000)) : request,
    ),
  },
  {
    name: "takes the first of a repeated parameter",
    caughtBy: ["repeated-query-parameters-are-invalid"],
    respond: changeRequest((request) => {
      const names = new Set<string>();
      return withParts(request, (parts) =>
        parts.filter((part) => {
          const name = part.split("=")[0] ?? "";
          return !names.has(name) && names.add(name);
        }),
      );
    }),
  },
  {
    name: "drops query values that cannot be decoded",
    caughtBy: ["malformed-percent-encoding-in-a-query-is-invalid"],
    respond: changeRequest((request) =>
      withParts(request, (parts) => parts.filter((part) => decode(part) !== null)),
    ),
  },
  {
    name: "refuses unknown parameters",
    caughtBy: ["unknown-query-parameters-are-ignored"],
    respond: changeRequest((request) =>
      queryOf(request).includes("utm_source") ? withTarget(request, "/unknown") : request,
    ),
  },
  {
    name: "takes an unknown channel for stable",
    caughtBy: ["channel-is-stable-or-beta", "download-checks-in-order"],
    respond: changeRequest((request) =>
      withParts(request, (parts) =>
        parts.filter((part) => !part.startsWith("channel=") || /=(?:stable|beta)$/.test(part)),
      ),
    ),
  },
];

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
