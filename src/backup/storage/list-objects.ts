/** The objects of a bucket below a prefix (ListObjectsV2). */
import { readBoundedText } from "../../http/read-bounded-text.ts";
import { S3ResponseError, throwS3Error } from "./explain-s3-error.ts";
import type { SendS3Request } from "./s3-request.ts";

/** A page has at most 1,000 objects, whose keys have at most 1,024 bytes. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

export interface ListedObject {
  readonly key: string;
  readonly size: number;
}

/** Ten million objects. */
const MAX_PAGES = 10_000;

/** Lists the objects without a slash after the prefix, page by page. */
export async function listObjects(prefix: string, send: SendS3Request): Promise<ListedObject[]> {
  const objects: ListedObject[] = [];
  const tokens = new Set<string>();
  let token: string | null = null;
  do {
    const response = await send({
      method: "GET",
      key: "",
      query: {
        "list-type": "2",
        delimiter: "/",
        prefix,
        ...(token !== null && { "continuation-token": token }),
      },
      headers: {},
    });
    if (response.statusCode !== 200) return throwS3Error(response);
    const page = await readBoundedText(response, MAX_PAGE_BYTES);
    if (page === null) throw endlessList();
    for (const object of readObjects(page)) objects.push(object);
    token = readElement(page, "NextContinuationToken");
    if (token !== null && (tokens.has(token) || tokens.size === MAX_PAGES)) throw endlessList();
    if (token !== null) tokens.add(token);
  } while (token !== null);
  return objects;
}

function endlessList(): S3ResponseError {
  return new S3ResponseError(
    "the server sends a list of objects without an end: check the endpoint and the server",
  );
}

function readObjects(page: string): ListedObject[] {
  const [, ...parts] = page.split("<Contents>");
  return parts.map((contents) => ({
    key: readElement(contents, "Key") ?? "",
    size: Number(readElement(contents, "Size")),
  }));
}

function readElement(xml: string, name: string): string | null {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return found === undefined ? null : decodeEntities(found);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

const MAX_CODE_POINT = 0x10ffff;

function decodeEntities(xml: string): string {
  return xml.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (entity, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[String(name)] ?? entity;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : entity;
  });
}
