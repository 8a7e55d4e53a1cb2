/** Caddy's configuration language, as far as the rules need it. */
import { bytesOf, REQUEST_ID, type Recording } from "./record-responses.ts";

export function importFileSnippet(
  { stored }: Recording,
  operationId: string,
  path: string,
): string[] {
  const sample = stored.find((response) => response.operationId === operationId);
  if (sample === undefined) return [];
  const { "Content-Type": type, "Cache-Control": cache } = sample.headers;
  return [`import trellis_file "${path}" "${type}" "${cache}"`];
}

/** `matcher` is a definition such as `@name vars …`; empty: every request that reaches the line. */
export function respondLines({ responses }: Recording, name: string, matcher: string): string[] {
  const response = responses[name];
  if (response === undefined) throw new Error(`The service has no response for "${name}"`);
  const only = matcher === "" ? "" : `${matcher.split(" ")[0]} `;
  const text = Buffer.from(bytesOf(response.body)).toString("utf8");
  return [
    ...["Content-Type", "Cache-Control"].flatMap((header) => {
      const value = response.headers[header];
      return value === undefined ? [] : [`header ${only}${header} "${value}"`];
    }),
    text === ""
      ? `respond ${only}${response.status}`
      : `respond ${only}\`${text.replaceAll(REQUEST_ID, "{http.request.uuid}")}\` ${response.status}`,
  ];
}

export function handle(operationIds: string, lines: readonly string[]): string[] {
  const matcher = `@${operationIds.split(" ")[0]}`;
  return [`${matcher} vars {trellis_route} ${operationIds}`, ...block(`handle ${matcher}`, lines)];
}

export function block(opening: string, lines: readonly string[]): string[] {
  return [`${opening} {`, ...lines.map((line) => `\t${line}`), "}"];
}

export function snippet(name: string, lines: readonly string[]): string[] {
  return [...block(`(${name})`, lines), ""];
}
