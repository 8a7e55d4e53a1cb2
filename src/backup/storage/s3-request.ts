/** Signed requests to an S3-compatible server, repeated when it is overloaded or the connection broke. */
import { AwsV4Signer } from "aws4fetch";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { objectUrl, type S3Settings } from "./s3-settings.ts";

export interface S3Request {
  readonly method: "GET" | "PUT" | "DELETE";
  /** The key of an object; empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: S3Body;
}

export interface S3Body {
  readonly size: number;
  /** The digest of the content. It is signed, so the server refuses other content. */
  readonly sha256: string;
  /** Opens the content, once for every attempt. */
  open(): AsyncIterable<Buffer>;
}

export interface S3RequestOptions {
  /** The delay before the second attempt; it doubles with each attempt. */
  readonly retryDelayMs?: number;
  /** The time after which a connection without a byte in either direction is given up. */
  readonly idleTimeoutMs?: number;
}

export type SendS3Request = (request: S3Request) => Promise<IncomingMessage>;

const MAX_ATTEMPTS = 5;
const RETRY_DELAY_MS = 500;
const IDLE_TIMEOUT_MS = 120_000;
/** A server that does not know the expectation gets the body after this. */
const CONTINUE_WAIT_MS = 1500;
const SHA256_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Resolves with the head of the last response, whatever its status; its body is not read yet. */
export function createS3Requests(
  settings: S3Settings,
  { retryDelayMs = RETRY_DELAY_MS, idleTimeoutMs = IDLE_TIMEOUT_MS }: S3RequestOptions = {},
): SendS3Request {
  const signingKeys = new Map<string, ArrayBuffer>();
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === MAX_ATTEMPTS;
      try {
        const response = await sendOnce(settings, request, signingKeys, idleTimeoutMs);
        if (isLast || !isOverloaded(response.statusCode ?? 0)) return response;
        response.destroy();
      } catch (error) {
        if (isLast || !isBrokenConnection(error)) throw error;
      }
      // Half of the delay is random, so that jobs that failed together do not return together.
      await sleep(retryDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
    }
  };
}

function isOverloaded(status: number): boolean {
  // 501 is the response to something that the server will never do.
  return status === 429 || (status >= 500 && status !== 501);
}

const BROKEN: ReadonlySet<string> = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
]);

function isBrokenConnection(error: unknown): boolean {
  return BROKEN.has((error as NodeJS.ErrnoException).code ?? "");
}

async function sendOnce(
  settings: S3Settings,
  { method, key, query, headers, body }: S3Request,
  signingKeys: Map<string, ArrayBuffer>,
  idleTimeoutMs: number,
): Promise<IncomingMessage> {
  const url = objectUrl(settings, key);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const signed = await new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...headers, "X-Amz-Content-Sha256": body?.sha256 ?? SHA256_OF_NOTHING },
    service: "s3",
    region: settings.region,
    ...settings.credentials,
    cache: signingKeys,
  }).sign();
  const start = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((onResponse, onError) => {
    const sent = start(url, {
      method,
      headers: {
        ...Object.fromEntries(signed.headers),
        "User-Agent": "Trellis",
        ...(body !== undefined && {
          "Content-Length": String(body.size),
          // The server is asked first, so that a request that is refused costs no upload.
          Expect: "100-continue",
        }),
      },
    });
    sent.setTimeout(idleTimeoutMs, () => sent.destroy(timeoutError()));
    sent.on("error", onError);
    sent.on("response", onResponse);
    sent.on("close", () => onError(brokenOffError()));
    if (body === undefined) {
      sent.end();
      return;
    }
    let isBegun = false;
    const sendBody = () => {
      clearTimeout(timer);
      if (isBegun || sent.destroyed || sent.writableEnded) return;
      isBegun = true;
      // The request itself reports an error of the connection.
      pipeline(Readable.from(body.open(), { objectMode: false }), sent).catch((error: unknown) => {
        onError(error);
        sent.destroy();
      });
    };
    const timer = setTimeout(sendBody, CONTINUE_WAIT_MS);
    sent.once("continue", sendBody);
    sent.once("response", (response: IncomingMessage) => {
      clearTimeout(timer);
      // A server that has refused does not need the rest.
      response.once("end", () => void (sent.writableFinished || sent.destroy()));
    });
    sent.once("close", () => clearTimeout(timer));
  });
}

function timeoutError(): Error {
  return Object.assign(new Error("No response in time"), { code: "ETIMEDOUT" });
}

function brokenOffError(): Error {
  return Object.assign(new Error("The connection ended without a response"), {
    code: "ECONNRESET",
  });
}
