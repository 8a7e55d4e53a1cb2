/** A place for files by key: an S3 bucket or a folder. */

export interface ObjectStorage {
  /** The address of an object for people, such as `s3://bucket/1.0.0/app.exe`. */
  addressOf(key: string): string;
  /** Whether an object has this content. Changes nothing. */
  compare(object: ObjectContent): Promise<CompareResult>;
  /** Stores a file. The object is complete or not there at all, never in between. */
  put(object: NewObject, options: PutOptions): Promise<PutResult>;
}

export interface ObjectContent {
  /** The key, without a leading slash; its parts are neither empty nor `.` or `..`. */
  readonly key: string;
  readonly size: number;
  /** The digest in hexadecimal. */
  readonly sha256: string;
}

export interface NewObject extends ObjectContent {
  /** The file on this machine, which has the size and the digest. */
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
}

export interface PutOptions {
  /** Whether an object that is there already is replaced; otherwise it is kept. */
  readonly isReplacing: boolean;
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
}

export type CompareResult =
  | { readonly kind: "absent" | "equal" | "different" }
  | ObjectStorageError;

export type PutResult = { readonly kind: "stored" | "exists" } | ObjectStorageError;

export interface ObjectStorageError {
  readonly kind: "failed";
  /** What happened and what to do, without secrets. */
  readonly message: string;
}

export function objectStorageError(message: string): ObjectStorageError {
  return { kind: "failed", message };
}
