/** Where a bucket is and who asks, from the address and the usual environment variables. */
import { isHttpsOrLoopback } from "../../contract/loopback.ts";

export interface S3Settings {
  readonly bucket: string;
  /** The prefix, without slashes at its ends; it may be empty. */
  readonly prefix: string;
  readonly region: string;
  /** The endpoint; null for Amazon's endpoint of the region. */
  readonly endpoint: URL | null;
  /** Whether the bucket is the first label of the host instead of the first part of the path. */
  readonly isVirtualHost: boolean;
  readonly credentials: S3Credentials;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface S3Options {
  readonly endpoint?: string | undefined;
  readonly isVirtualHost: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type S3SettingsResult =
  | { readonly kind: "settings"; readonly settings: S3Settings }
  | { readonly kind: "invalid"; readonly message: string };

const ADDRESS = /^s3:\/\/([^/]+)(?:\/(.*))?$/;
/**
 * The names that Amazon and its kin accept; above all, no character that could leave the host or
 * the path.
 */
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i;

/** Parses an address; null when it is no `s3://bucket/prefix`, or its prefix could lead out of the bucket. */
export function parseS3Address(address: string): Pick<S3Settings, "bucket" | "prefix"> | null {
  const [, bucket = "", path = ""] = ADDRESS.exec(address) ?? [];
  const parts = path.split("/").filter(Boolean);
  // An address takes `.` for the folder itself and `..` for the one above it.
  if (!BUCKET.test(bucket) || parts.includes(".") || parts.includes("..")) return null;
  return { bucket, prefix: parts.join("/") };
}

export function readS3Settings(address: string, options: S3Options): S3SettingsResult {
  const place = parseS3Address(address);
  if (place === null) {
    return invalid(
      `"${address}" is not an address of a bucket: write s3://bucket/prefix, without parts such as ".."`,
    );
  }
  const { env } = options;
  const given = options.endpoint ?? setting(env, "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");
  const endpoint = given === undefined ? null : URL.parse(given);
  if (given !== undefined && !isEndpoint(endpoint)) {
    return invalid(
      `The endpoint "${given}" must be an https:// address without a query, such as https://s3.example.com (http:// is for this machine only)`,
    );
  }
  const credentials = readCredentials(env);
  if (Array.isArray(credentials)) {
    return invalid(
      `There are no credentials for ${address}: set ${credentials.join(" and ")} in the environment`,
    );
  }
  return {
    kind: "settings",
    settings: {
      ...place,
      region: setting(env, "AWS_REGION", "AWS_DEFAULT_REGION") ?? defaultRegion(endpoint),
      endpoint,
      // A certificate for *.s3.amazonaws.com does not cover a bucket with a dot.
      isVirtualHost: options.isVirtualHost || (endpoint === null && !place.bucket.includes(".")),
      credentials,
    },
  };
}

/** The address of an object in the storage; of the bucket itself when the key is empty. */
export function objectUrl(settings: S3Settings, key: string): URL {
  const { bucket, region, endpoint, isVirtualHost } = settings;
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const base = url.pathname.split("/").filter(Boolean);
  if (isVirtualHost) url.hostname = `${bucket}.${url.hostname}`;
  else base.push(encodePart(bucket));
  const parts = key === "" ? [] : key.split("/").map(encodePart);
  url.pathname = `/${[...base, ...parts].join("/")}`;
  return url;
}

/** Everything but RFC 3986's unreserved characters: what is signed must be what is sent. */
function encodePart(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

type Environment = S3Options["env"];

function readCredentials(env: Environment): S3Credentials | string[] {
  const accessKeyId = setting(env, "AWS_ACCESS_KEY_ID");
  const secretAccessKey = setting(env, "AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    return [
      ...(accessKeyId === undefined ? ["AWS_ACCESS_KEY_ID"] : []),
      ...(secretAccessKey === undefined ? ["AWS_SECRET_ACCESS_KEY"] : []),
    ];
  }
  const sessionToken = setting(env, "AWS_SESSION_TOKEN");
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}

/** The first variable that is set. Build services set a variable without a secret to the empty text. */
function setting(env: Environment, ...names: readonly string[]): string | undefined {
  return names
    .map((name) => env[name]?.trim())
    .find((value) => value !== undefined && value !== "");
}

function isEndpoint(url: URL | null): boolean {
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "") return false;
  return isHttpsOrLoopback(url);
}

/** Cloudflare R2 has one region, and Amazon's first one is what other servers expect. */
function defaultRegion(endpoint: URL | null): string {
  return endpoint?.hostname.endsWith(".r2.cloudflarestorage.com") === true ? "auto" : "us-east-1";
}

function invalid(message: string): S3SettingsResult {
  return { kind: "invalid", message };
}
