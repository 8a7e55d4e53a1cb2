/** The objects of a bucket below a prefix (ListObjectsV2). */
import { readBoundedText } from "../fetch-text.ts";
import { throwS3Error } from "./explain-s3-error.ts";
import type { SendS3Request } from "./s3-request.ts";

/** A page has at most 1,000 objects, whose keys have at most 1,024 bytes. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

export interface ListedObject {
  readonly key: string;
  readonly size: number;
}

/** Lists the objects without a slash after the prefix, page by page. */
export async function listObjects(prefix: string, send: SendS3Request): Promise<ListedObject[]> {
  const objects: ListedObject[] = [];
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
    if (page === null) throw new Error(`A list of objects has more than ${MAX_PAGE_BYTES} bytes`);
    objects.push(...readObjects(page));
    token = readElement(page, "NextContinuationToken");
  } while (token !== null);
  return objects;
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

function decodeEntities(xml: string): string {
  return xml.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (entity, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(String(hex), 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return ENTITIES[String(name)] ?? entity;
  });
}
