/** Reads a raw request target. Nothing is normalised: routes match what the client sent. */
import { decodeComponent } from "../contract/parse-query.ts";

export interface Target {
  /** The path as it came, still percent-encoded. */
  readonly path: string;
  /** The query as it came, without the question mark. */
  readonly search: string;
}

export function splitTarget(target: string): Target {
  const origin = target.startsWith("/") ? target : stripOrigin(target);
  const mark = origin.indexOf("?");
  return mark < 0
    ? { path: origin, search: "" }
    : { path: origin.slice(0, mark), search: origin.slice(mark + 1) };
}

/** RFC 9112 3.2.2: a server accepts the absolute form. */
function stripOrigin(target: string): string {
  const match = /^https?:\/\/[^/?#]*/i.exec(target);
  if (match === null) return target;
  const rest = target.slice(match[0].length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/**
 * The decoded segments of a path, each decoded once; null when one is empty or a dot segment, which no
 * route has, and "malformed" when an escape is broken.
 */
export function decodeSegments(path: string): readonly string[] | null | "malformed" {
  const [first, ...segments] = path.split("/");
  if (first !== "") return null;
  const decoded: string[] = [];
  for (const text of segments) {
    const segment = decodeComponent(text);
    if (segment === null) return "malformed";
    if (segment === "" || segment === "." || segment === "..") return null;
    decoded.push(segment);
  }
  return decoded;
}

/** The path of a target with its escapes decoded, as the router reads it. */
export function decodedPath(target: string): string {
  const { path } = splitTarget(target);
  if (!path.includes("%")) return path;
  const segments = decodeSegments(path);
  return segments === null || segments === "malformed" ? path : `/${segments.join("/")}`;
}
