/** The headers of recorded answers as `add_header` lines. */
import type { HttpResponse } from "../../http/response.ts";
import { quote, type MapRows } from "./nginx-syntax.ts";

export type NamedResponses = Readonly<Record<string, HttpResponse>>;

/** nginx makes these itself, or they are different for every request. */
const OWN_RULES = new Set(["Content-Type", "Content-Length", "ETag", "Location", "X-Request-Id"]);

export interface VaryingHeader {
  readonly name: string;
  readonly variable: string;
  readonly rows: MapRows;
}

/** Headers that depend on the verdict, each with a map from verdict to value. */
export function varyingHeaders(answers: NamedResponses, prefix: string): VaryingHeader[] {
  return headerNames(answers)
    .filter((name) => !isFixed(answers, name))
    .map((name) => ({
      name,
      variable: `${prefix}_${name.toLowerCase().replaceAll("-", "_")}`,
      rows: Object.entries(answers).flatMap(([verdict, { headers }]) => {
        const value = headers[name];
        return value === undefined ? [] : [[verdict, quote(value)] as const];
      }),
    }));
}

/** Lines for a location that gives any of the answers. An empty value is not sent. */
export function headerLines(answers: NamedResponses, prefix: string): string[] {
  const fixed = headerNames(answers)
    .filter((name) => isFixed(answers, name))
    .map((name) => headerLine(name, quote(Object.values(answers)[0]?.headers[name] ?? "")));
  const varying = varyingHeaders(answers, prefix).map(({ name, variable }) =>
    headerLine(name, `$${variable}`),
  );
  return [...fixed, ...varying, headerLine("X-Request-Id", "$trellis_request_id")];
}

export function headerLine(name: string, value: string): string {
  return `add_header ${name} ${value} always;`;
}

function headerNames(answers: NamedResponses): string[] {
  const names = Object.values(answers).flatMap(({ headers }) => Object.keys(headers));
  return [...new Set(names)].filter((name) => !OWN_RULES.has(name));
}

function isFixed(answers: NamedResponses, name: string): boolean {
  return new Set(Object.values(answers).map(({ headers }) => headers[name])).size === 1;
}
