/** Plain words for what an S3-compatible server refuses. Its own text may quote the request, so only the code is used. */
import type { IncomingMessage } from "node:http";

const MAX_BODY_BYTES = 64 * 1024;

/** The code of the error document, such as `NoSuchKey`; empty when there is none. */
export async function readS3ErrorCode(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length > MAX_BODY_BYTES) break;
  }
  return /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text)?.[1] ?? "";
}

export class S3ResponseError extends Error {}

export async function throwS3Error(response: IncomingMessage, code?: string): Promise<never> {
  throw new S3ResponseError(explainS3Error(response, code ?? (await readS3ErrorCode(response))));
}

function explainS3Error(
  { statusCode: status = 0, headers }: IncomingMessage,
  code: string,
): string {
  const region = String(headers["x-amz-bucket-region"] ?? "");
  if (status === 301 || status === 307 || code === "AuthorizationHeaderMalformed") {
    return /^[a-z0-9-]{1,40}$/.test(region)
      ? `the bucket is in the region ${region}: set AWS_REGION=${region}`
      : "the bucket is in another region or behind another endpoint: set AWS_REGION, or name the endpoint";
  }
  const known = PROBLEMS[code] ?? STATUS_PROBLEMS[status];
  return `${known ?? "the server refused the request: check the endpoint and the server"} (status ${status}${code === "" ? "" : `, ${code}`})`;
}

const NO_ACCESS =
  "the credentials do not allow it: give them s3:GetObject, s3:ListBucket and s3:PutObject for this bucket, and s3:DeleteObject where backups are pruned";

const PROBLEMS: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch:
    "the server does not accept the signature: check AWS_SECRET_ACCESS_KEY and AWS_REGION",
  InvalidAccessKeyId: "the server does not know the access key: check AWS_ACCESS_KEY_ID",
  ExpiredToken: "the session has expired: get new credentials",
  InvalidToken: "the session token is not valid: check AWS_SESSION_TOKEN",
  RequestTimeTooSkewed: "the clock of this machine is wrong: set it",
  AccessDenied: NO_ACCESS,
  NoSuchBucket: "there is no such bucket: create it, or correct its name",
  XAmzContentSHA256Mismatch:
    "the uploaded file differs: it changed during the upload, or was damaged on the way; try again",
  BadDigest: "the uploaded file differs: try again",
  EntityTooLarge: "the file is too large for one upload: upload it with another program",
  QuotaExceeded: "the storage is full: free some space",
};

const STATUS_PROBLEMS: Readonly<Record<number, string>> = {
  401: NO_ACCESS,
  403: NO_ACCESS,
  429: "the server is overloaded: try again later",
  500: "the server failed: try again later",
  502: "the server cannot be reached behind its proxy: try again later",
  503: "the server is overloaded: try again later",
  504: "the server did not respond to its proxy: try again later",
};

/** Explains an error of the connection; undefined for an error that is a bug. */
export function explainConnectionError(error: unknown, host: string): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== "string") return undefined;
  if (code === "ENOTFOUND")
    return `the host ${host} does not exist: check the endpoint and AWS_REGION`;
  if (code === "ETIMEDOUT") return `${host} does not respond: check the endpoint and the network`;
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return `the certificate of ${host} is not valid (${code})`;
  }
  return `the connection to ${host} failed (${code}): check the endpoint and the network`;
}
