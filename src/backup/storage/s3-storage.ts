import {
  explainConnectionError,
  readS3ErrorCode,
  S3ResponseError,
  throwS3Error,
} from "./explain-s3-error.ts";
import {
  objectStorageError,
  type CompareResult,
  type NewObject,
  type ObjectContent,
  type ObjectStorage,
  type ObjectStorageError,
  type PutOptions,
  type PutResult,
} from "./object-storage.ts";
import { listObjects, type ListedObject } from "./list-objects.ts";
import { createS3Requests, type S3RequestOptions, type SendS3Request } from "./s3-request.ts";
import { objectUrl, type S3Settings } from "./s3-settings.ts";
import { ChangedFileError, sha256OfStream, streamFile } from "./stream-file.ts";

/** The size that one request may carry. */
export const MAX_S3_OBJECT_BYTES = 5 * 1024 ** 3;

/** The digest is stored beside the object, because its ETag is no SHA-256. */
const DIGEST_HEADER = "x-amz-meta-sha256";

export interface S3Storage extends ObjectStorage {
  /** The objects whose keys begin with `prefix` and have no slash after it. */
  list(
    prefix: string,
  ): Promise<{ kind: "listed"; objects: readonly ListedObject[] } | ObjectStorageError>;
  /** Reads the whole object back. */
  hash(key: string): Promise<{ kind: "hashed"; sha256: string } | ObjectStorageError>;
  /** Removes an object; succeeds when there is none. */
  remove(key: string): Promise<{ readonly kind: "removed" } | ObjectStorageError>;
}

/** A bucket of Amazon S3, Cloudflare R2, MinIO and others that speak its protocol. */
export function createS3Storage(settings: S3Settings, options: S3RequestOptions = {}): S3Storage {
  const send = createS3Requests(settings, options);
  const fullKey = (key: string) => (settings.prefix === "" ? key : `${settings.prefix}/${key}`);
  const addressOf = (key: string) => `s3://${settings.bucket}/${fullKey(key)}`;
  const guard = async <T>(key: string, work: (key: string) => Promise<T>) => {
    try {
      return await work(fullKey(key));
    } catch (error) {
      return explainFailure(error, addressOf(key), objectUrl(settings, fullKey(key)).host);
    }
  };
  return {
    addressOf,
    list: (prefix) =>
      guard(prefix, async (start) => {
        const cut = settings.prefix === "" ? 0 : settings.prefix.length + 1;
        const listed = await listObjects(start, send);
        const objects = listed.map(({ key, size }) => ({ key: key.slice(cut), size }));
        return { kind: "listed", objects } as const;
      }),
    hash: (key) =>
      guard(key, async (key) => ({ kind: "hashed", sha256: await hashObject(key, send) }) as const),
    remove: (key) => guard(key, (key) => removeObject(key, send)),
    compare: (object) => guard(object.key, (key) => compareObject({ ...object, key }, send)),
    put: (object, put) => guard(object.key, (key) => putObject({ ...object, key }, put, send)),
  };
}

/** One byte is asked for, because the response to HEAD has no room for the reason of an error. */
async function compareObject(
  { key, size, sha256 }: ObjectContent,
  send: SendS3Request,
): Promise<CompareResult> {
  const response = await send({ method: "GET", key, headers: { Range: "bytes=0-0" } });
  const { statusCode: status, headers } = response;
  // An empty object has no first byte.
  if (status === 416) {
    response.destroy();
    return { kind: "different" };
  }
  if (status === 404) {
    const code = await readS3ErrorCode(response);
    return code === "NoSuchBucket" ? throwS3Error(response, code) : { kind: "absent" };
  }
  if (status !== 200 && status !== 206) return throwS3Error(response);
  response.destroy();
  const total =
    status === 206 ? headers["content-range"]?.split("/")[1] : headers["content-length"];
  if (Number(total) !== size) return { kind: "different" };
  const stored = headers[DIGEST_HEADER] ?? (await hashObject(key, send));
  return { kind: stored === sha256 ? "equal" : "different" };
}

async function removeObject(key: string, send: SendS3Request) {
  const response = await send({ method: "DELETE", key, headers: {} });
  const { statusCode: status } = response;
  if (status !== 200 && status !== 204) return throwS3Error(response);
  response.destroy();
  return { kind: "removed" } as const;
}

async function hashObject(key: string, send: SendS3Request): Promise<string> {
  const response = await send({ method: "GET", key, headers: {} });
  return response.statusCode === 200 ? sha256OfStream(response) : throwS3Error(response);
}

async function putObject(
  object: NewObject,
  { isReplacing, onProgress }: PutOptions,
  send: SendS3Request,
): Promise<PutResult> {
  const { key, path, size, sha256, contentType, cacheControl } = object;
  if (size > MAX_S3_OBJECT_BYTES) {
    return objectStorageError(`"${path}" has more than 5 GiB: upload it with another program`);
  }
  const put = (condition: Readonly<Record<string, string>>) =>
    send({
      method: "PUT",
      key,
      headers: {
        "Content-Type": contentType,
        "Cache-Control": cacheControl,
        [DIGEST_HEADER]: sha256,
        ...condition,
      },
      body: { size, sha256, open: () => streamFile({ path, size }, onProgress) },
    });
  // Another job may have put the object there since it was compared.
  let response = await put(isReplacing ? {} : { "If-None-Match": "*" });
  if (response.statusCode === 501 && !isReplacing) {
    response.destroy();
    response = await put({});
  }
  const { statusCode: status } = response;
  if (status !== 200 && status !== 412) return throwS3Error(response);
  response.destroy();
  if (status === 200) return { kind: "stored" };
  // The object may be this very file, when the response to an earlier attempt was lost.
  const compared = await compareObject(object, send);
  return { kind: compared.kind === "equal" ? "stored" : "exists" };
}

function explainFailure(error: unknown, address: string, host: string): ObjectStorageError {
  if (error instanceof ChangedFileError) return objectStorageError(error.message);
  const reason =
    error instanceof S3ResponseError ? error.message : explainConnectionError(error, host);
  if (reason === undefined) throw error;
  return objectStorageError(`${address}: ${reason}`);
}
