/** Reads a raw request target. Nothing is normalised: what a client sent is what is matched. */

/** Longer targets are refused before anything looks at them. */
export const MAX_TARGET_BYTES = 8 * 1024;

export interface Target {
  /** The path as it came, still percent-encoded. */
  readonly path: string;
  /** The query as it came, without the question mark. */
  readonly search: string;
}

export function splitTarget(target: string): Target {
  const origin = target.charCodeAt(0) === SLASH ? target : stripOrigin(target);
  const mark = origin.indexOf("?");
  return mark < 0
    ? { path: origin, search: "" }
    : { path: origin.slice(0, mark), search: origin.slice(mark + 1) };
}

const SLASH = 47;

/** RFC 9112 3.2.2: a server accepts the absolute form. */
function stripOrigin(target: string): string {
  const match = /^https?:\/\/[^/?#]*/i.exec(target);
  if (match === null) return target;
  const rest = target.slice(match[0].length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/**
 * The decoded segments of a path, each decoded once; null when one is empty or a dot segment (such
 * a path names nothing here), and "malformed" when an escape is broken.
 */
export function decodeSegments(path: string): readonly string[] | null | "malformed" {
  const segments = path.split("/");
  if (segments[0] !== "") return null;
  const decoded: string[] = [];
  for (let index = 1; index < segments.length; index++) {
    const segment = decodeComponent(segments[index] ?? "");
    if (segment === null) return "malformed";
    if (segment === "" || segment === "." || segment === "..") return null;
    decoded.push(segment);
  }
  return decoded;
}

/** A query's parameters in their order; a value is null when its encoding is broken. */
export function parseQuery(search: string): Map<string, (string | null)[]> {
  const values = new Map<string, (string | null)[]>();
  if (search === "") return values;
  for (const part of search.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decodeFormText(equals < 0 ? part : part.slice(0, equals));
    const text = equals < 0 ? "" : decodeFormText(part.slice(equals + 1));
    // A name that cannot be read is no parameter that anybody asked for; it is kept as it came.
    const key = name ?? part;
    const value = name === null ? null : text;
    const list = values.get(key);
    if (list === undefined) values.set(key, [value]);
    else list.push(value);
  }
  return values;
}

function decodeFormText(text: string): string | null {
  return decodeComponent(text.includes("+") ? text.replaceAll("+", " ") : text);
}

function decodeComponent(text: string): string | null {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
