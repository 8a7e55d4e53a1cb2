/** The page of the demo and what its buttons call. It is for the browser of this machine alone. */
import { randomBytes } from "node:crypto";
import { isObject } from "../../src/contract/is-object.ts";
import { LANGUAGES, type Language } from "../../src/contract/language.ts";
import { chooseLanguage } from "../../src/http/choose-language.ts";
import type { HttpService } from "../../src/http/create-http-service.ts";
import { createPlainService } from "../../src/http/plain-service.ts";
import { readText } from "../../src/http/read-body.ts";
import type { RawRequest } from "../../src/http/request.ts";
import { jsonResponse, redirectResponse, type HttpResponse } from "../../src/http/response.ts";
import { createSecurityHeaders } from "../../src/http/service-hooks.ts";
import { splitTarget } from "../../src/http/target.ts";
import { isSameSecret } from "../../src/identity/one-time-secrets.ts";
import { parseJson } from "../../src/rules/parse-json.ts";
import { renderDemoPage } from "./page/page.ts";
import {
  CONFORMANCE_CONTROL,
  CONFORMANCE_SERVICES,
  CONTROL_PATH,
  TOKEN_HEADER,
  type ConformanceService,
  type DemoDevice,
  type DemoPageData,
  type Failure,
  type ShownCase,
} from "./page/call-demo.ts";
import { STEPS, type StepName } from "./page/step-names.ts";
import type { DemoPlaces } from "./page/look-around.ts";
import { createLanguageUrls, createNonce, htmlResponse } from "../../src/http/html-response.ts";
import type { DemoControls } from "./demo-controls.ts";

export interface DemoPageSettings {
  /** The only address at which the page works. */
  readonly origin: string;
  readonly devices: readonly DemoDevice[];
  readonly backupCreatedAt: string;
  readonly recoveryKey: string;
  readonly places: DemoPlaces;
  readonly controls: DemoControls;
}

type Control = (input: Readonly<Record<string, unknown>>) => Promise<object>;

const MAX_BODY_BYTES = 16 * 1024;
const TOKEN_BYTES = 32;

export function createDemoPageService(settings: DemoPageSettings): HttpService {
  const { origin } = settings;
  const { host } = new URL(origin);
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const done = new Set<StepName>();
  const controls = bindControls(settings.controls, done);

  async function handle(request: RawRequest): Promise<HttpResponse> {
    const { path, search } = splitTarget(request.target);
    // A page under another name (DNS rebinding) could read the token.
    if (request.header("host")?.toLowerCase() !== host) {
      return isReading(request) && path === "/"
        ? redirectResponse(302, `${origin}/`)
        : errorResponse(421, `The demo is at ${origin}/`);
    }
    if (path.startsWith(CONTROL_PATH)) {
      const control = controls.get(path.slice(CONTROL_PATH.length));
      return runControl(control, request, { origin, token });
    }
    if (path !== "/") return errorResponse(404, "Not found");
    if (!isReading(request)) return errorResponse(405, "Send GET", { Allow: "GET, HEAD" });
    return renderPage(request, search, { ...settings, token, done: [...done] });
  }

  return createPlainService({ headers: () => SECURITY_HEADERS, handle, errorResponse });
}

interface PageToken {
  readonly origin: string;
  readonly token: string;
}

function renderPage(
  request: RawRequest,
  search: string,
  settings: DemoPageSettings & Pick<DemoPageData, "token" | "done">,
): HttpResponse {
  const asked = new URLSearchParams(search).get("lang");
  const language =
    LANGUAGES.find((known) => known === asked) ??
    chooseLanguage(request.header("accept-language"), LANGUAGES);
  const frame = {
    language,
    displayName: "Trellis",
    nonce: createNonce(randomBytes),
    languageUrls: createLanguageUrls("/", ""),
  };
  const { token, devices, backupCreatedAt, recoveryKey, done, places } = settings;
  const data = { token, devices, backupCreatedAt, recoveryKey, done };
  const page = renderDemoPage(frame, data, places);
  const frames = devices.map((device) => device.origin);
  return htmlResponse(200, page, frame, { frames });
}

async function runControl(
  control: Control | undefined,
  request: RawRequest,
  page: PageToken,
): Promise<HttpResponse> {
  if (control === undefined) return errorResponse(404, "There is no such control");
  if (request.method !== "POST") return errorResponse(405, "Send POST", { Allow: "POST" });
  if (!isAllowed(request, page)) return errorResponse(403, "Only the page of the demo may do this");
  const body = await readText(request, {
    mediaType: "application/json",
    maxBytes: MAX_BODY_BYTES,
  });
  const input = body.kind === "text" ? parseJson(body.text) : null;
  if (!isObject(input)) return errorResponse(400, "Send a JSON object");
  try {
    const result = await control(input);
    return result instanceof ReadableStream
      ? { status: 200, headers: { "Content-Type": "application/x-ndjson" }, body: result }
      : jsonResponse(200, JSON.stringify(result));
  } catch (error) {
    return errorResponse(500, error instanceof Error ? error.message : String(error));
  }
}

/** Other sites can send requests to this address, but can neither read the page nor its token. */
function isAllowed(request: RawRequest, { origin, token }: PageToken): boolean {
  return (
    request.header("origin") === origin &&
    (request.header("sec-fetch-site") ?? "same-origin") === "same-origin" &&
    isSameSecret(request.header(TOKEN_HEADER.toLowerCase()) ?? "", token)
  );
}

/** A page that is reloaded has no memory of its own, so `done` has the steps that were finished. */
function bindControls(controls: DemoControls, done: Set<StepName>): ReadonlyMap<string, Control> {
  return new Map<string, Control>([
    ["store", () => controls.readStore()],
    ["authorize", async ({ url }) => ({ url: await controls.authorize(String(url)) })],
    ["restore", () => controls.restore()],
    ["publish", () => controls.publish()],
    [
      "homework",
      async ({ language }) => ({ title: await controls.setHomework(readLanguage(language)) }),
    ],
    [
      "finish",
      async ({ step }) => {
        const name = STEPS.find((known) => known === step);
        if (name === undefined) throw new Error("There is no such step");
        return { done: [...done.add(name)] };
      },
    ],
    ["mirror", ({ isTakenOver }) => controls.takeOverMirror(isTakenOver === true)],
    [CONFORMANCE_CONTROL, async ({ service }) => streamConformance(controls, readService(service))],
  ]);
}

function readLanguage(value: unknown): Language {
  return LANGUAGES.find((language) => language === value) ?? LANGUAGES[0];
}

/** A line for each case; a run takes longer than a person would wait without seeing anything. */
function streamConformance(
  { runConformance }: DemoControls,
  service: ConformanceService,
): ReadableStream<Uint8Array> {
  const lines = new TransformStream<Uint8Array, Uint8Array>();
  const writer = lines.writable.getWriter();
  // A page that was closed reads no further line, and the run ends.
  const closing = new AbortController();
  writer.closed.catch(() => closing.abort());
  const write = (line: ShownCase | Failure) =>
    void writer.write(Buffer.from(`${JSON.stringify(line)}\n`)).catch(() => {});
  runConformance(service, write, closing.signal)
    .catch((error: unknown) => write({ error: String(error) }))
    .finally(() => writer.close().catch(() => {}));
  return lines.readable;
}

function readService(value: unknown): ConformanceService {
  const service = CONFORMANCE_SERVICES.find((name) => name === value);
  if (service === undefined) throw new Error("There is no such service");
  return service;
}

function isReading({ method }: RawRequest): boolean {
  return method === "GET" || method === "HEAD";
}

function errorResponse(status: number, message: string, headers = {}): HttpResponse {
  return jsonResponse(status, `${JSON.stringify({ error: message })}\n`, headers);
}

const SECURITY_HEADERS = createSecurityHeaders(false);
