/** nginx's configuration language, as far as the rules need it. */
import { JSON_TYPE, type HttpResponse } from "../../http/response.ts";

/** nginx cannot escape a dollar sign in a value; a `geo` block can hold one. */
export const DOLLAR = "trellis_dollar";

/** Text as a value: nothing in it is a variable. */
export function quote(text: string): string {
  return quoteTemplate(text.replaceAll("$", `\${${DOLLAR}}`));
}

/** Text as a value in which `$name` and `${name}` are variables. */
export function quoteTemplate(text: string): string {
  return `"${escapeQuoted(text)}"`;
}

/** A case-sensitive regular expression as the key of a `map`. */
export function quotePattern(pattern: string): string {
  return `"~${escapeQuoted(pattern)}"`;
}

function escapeQuoted(text: string): string {
  return text.replaceAll(/[\\"]/g, "\\$&");
}

/** Keys and values as written to the file: quoted, or plain words. */
export type MapRows = readonly (readonly [key: string, value: string])[];

export function mapBlock(source: string, target: string, rows: MapRows): string {
  const lines = rows.map(([key, value]) => `  ${key} ${value};`);
  return [`map ${source} $${target} {`, ...lines, "}"].join("\n");
}

export function location(name: string, lines: readonly string[]): string[] {
  return ["", `location ${name} {`, ...lines.map((line) => `  ${line}`), "}"];
}

export function typeLine(type: string): string {
  return `types { } default_type ${quote(type)};`;
}

export const HEADING =
  "# Written by `trellis release export`. The next export replaces it: change nothing here.";

/** A response whose body is a file of the tree. */
export function isFile({ status, body }: HttpResponse): boolean {
  return status === 200 && body === null;
}

/** The types of files that are not JSON: nginx cannot take a type from a variable. */
export function otherTypes(responses: NamedResponses): string[] {
  const types = Object.values(responses)
    .filter(isFile)
    .map(({ headers }) => headers["Content-Type"] ?? JSON_TYPE);
  return [...new Set(types)].filter((type) => type !== JSON_TYPE);
}

/** The action that sends a file, by its type. */
export function fileAction(types: readonly string[], type: string | undefined): string {
  const index = types.indexOf(type ?? JSON_TYPE);
  return index < 0 ? "file" : `file${index}`;
}

export type NamedResponses = Readonly<Record<string, HttpResponse>>;

/** nginx sets these itself, or they differ for every request. */
const OWN_RULES = new Set(["Content-Type", "Content-Length", "ETag", "Location", "X-Request-Id"]);

export interface VaryingHeader {
  readonly name: string;
  readonly variable: string;
  readonly rows: MapRows;
}

/** Headers that differ between the responses, each with a map from response name to value. */
export function varyingHeaders(responses: NamedResponses, prefix: string): VaryingHeader[] {
  return headerNames(responses)
    .filter((name) => !isFixed(responses, name))
    .map((name) => ({
      name,
      variable: `${prefix}_${name.toLowerCase().replaceAll("-", "_")}`,
      rows: Object.entries(responses).flatMap(([responseName, { headers }]) => {
        const value = headers[name];
        return value === undefined ? [] : [[responseName, quote(value)] as const];
      }),
    }));
}

/** Lines for a location that sends any of the responses. nginx does not send an empty value. */
export function headerLines(responses: NamedResponses, prefix: string): string[] {
  const fixed = headerNames(responses)
    .filter((name) => isFixed(responses, name))
    .map((name) => headerLine(name, quote(Object.values(responses)[0]?.headers[name] ?? "")));
  const varying = varyingHeaders(responses, prefix).map(({ name, variable }) =>
    headerLine(name, `$${variable}`),
  );
  return [...fixed, ...varying, headerLine("X-Request-Id", "$trellis_request_id")];
}

export function headerLine(name: string, value: string): string {
  return `add_header ${name} ${value} always;`;
}

function headerNames(responses: NamedResponses): string[] {
  const names = Object.values(responses).flatMap(({ headers }) => Object.keys(headers));
  return [...new Set(names)].filter((name) => !OWN_RULES.has(name));
}

function isFixed(responses: NamedResponses, name: string): boolean {
  return new Set(Object.values(responses).map(({ headers }) => headers[name])).size === 1;
}
