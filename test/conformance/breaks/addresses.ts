import {
  changeResponse,
  changeRequest,
  pathOf,
  queryOf,
  withCode,
  withTarget,
  type ReleaseBreak,
} from "./break.ts";
import type { RawRequest } from "../../../src/http/request-context.ts";

export const BREAKS_OF_ADDRESSES: readonly ReleaseBreak[] = [
  {
    name: "reads paths in any case",
    caughtBy: ["paths-are-case-sensitive"],
    answer: changeRequest((exchange) => withPath(exchange, (path) => path.toLowerCase())),
  },
  {
    name: "accepts a slash at the end",
    caughtBy: ["trailing-slashes-are-not-found"],
    answer: changeRequest((exchange) =>
      withPath(exchange, (path) => path.replace(/(?<=.)\/$/, "")),
    ),
  },
  {
    name: "reads two slashes as one",
    caughtBy: ["empty-segments-are-not-found"],
    answer: changeRequest((exchange) => withPath(exchange, (path) => path.replaceAll(/\/+/g, "/"))),
  },
  {
    name: "resolves dot segments",
    caughtBy: ["dot-segments-are-not-resolved"],
    answer: changeRequest((exchange) =>
      withPath(exchange, (path) => new URL(`http://host${path}`).pathname),
    ),
  },
  {
    name: "reads an encoded slash as a separator",
    caughtBy: ["encoded-slashes-stay-in-their-segment"],
    answer: changeRequest((exchange) => withPath(exchange, (path) => path.replaceAll("%2F", "/"))),
  },
  {
    name: "fails on a path that cannot be decoded",
    caughtBy: ["malformed-percent-encoding-in-a-path-is-not-found"],
    answer: changeResponse(
      (_answer, exchange) => decode(pathOf(exchange)) === null,
      (answer) => withCode(answer, 500, "internal_error"),
    ),
  },
  {
    name: "decodes paths twice",
    caughtBy: ["path-values-are-decoded-once"],
    answer: changeRequest((exchange) => withPath(exchange, (path) => decode(path) ?? path)),
  },
  {
    name: "does not decode paths",
    caughtBy: ["path-values-are-decoded-once"],
    answer: changeRequest((exchange) => withPath(exchange, (path) => path.replaceAll("%", "%25"))),
  },
  {
    name: "serves targets of any length",
    caughtBy: ["over-long-targets-are-414"],
    answer: changeRequest((exchange) => withTarget(exchange, exchange.target.slice(0, 8000))),
  },
  {
    name: "refuses targets of more than 4 KiB",
    caughtBy: ["over-long-targets-are-414"],
    answer: changeRequest((exchange) =>
      exchange.target.length > 4096 ? withTarget(exchange, "/".repeat(9000)) : exchange,
    ),
  },
  {
    name: "takes the first of a repeated parameter",
    caughtBy: ["repeated-query-parameters-are-invalid"],
    answer: changeRequest((exchange) => {
      const names = new Set<string>();
      return withParts(exchange, (parts) =>
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
    answer: changeRequest((exchange) =>
      withParts(exchange, (parts) => parts.filter((part) => decode(part) !== null)),
    ),
  },
  {
    name: "refuses unknown parameters",
    caughtBy: ["unknown-query-parameters-are-ignored"],
    answer: changeRequest((exchange) =>
      queryOf(exchange).includes("utm_source") ? withTarget(exchange, "/unknown") : exchange,
    ),
  },
  {
    name: "takes an unknown channel for stable",
    caughtBy: ["channel-is-stable-or-beta", "download-checks-in-order"],
    answer: changeRequest((exchange) =>
      withParts(exchange, (parts) =>
        parts.filter((part) => !part.startsWith("channel=") || /=(?:stable|beta)$/.test(part)),
      ),
    ),
  },
];

function withPath(exchange: RawRequest, change: (path: string) => string): RawRequest {
  const query = queryOf(exchange);
  return withTarget(exchange, change(pathOf(exchange)) + (query === "" ? "" : `?${query}`));
}

function withParts(exchange: RawRequest, change: (parts: string[]) => string[]): RawRequest {
  const query = queryOf(exchange);
  if (query === "") return exchange;
  return withTarget(exchange, `${pathOf(exchange)}?${change(query.split("&")).join("&")}`);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
