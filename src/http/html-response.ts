/** Responses with a page, its nonce and its language links. */
import {
  pageContentSecurityPolicy,
  type PageSources,
} from "../contract/content-security-policy.ts";
import type { Language } from "../contract/language.ts";
import type { HttpResponse } from "./response.ts";

const NONCE_BYTES = 18;

export function createNonce(randomBytes: (length: number) => Uint8Array): string {
  return Buffer.from(randomBytes(NONCE_BYTES)).toString("base64");
}

export function htmlResponse(
  status: number,
  body: string,
  { nonce }: { readonly nonce: string },
  sources?: PageSources,
): HttpResponse {
  return {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": pageContentSecurityPolicy(nonce, sources),
      "Content-Length": String(Buffer.byteLength(body)),
    },
    body,
  };
}

export function createLanguageUrls(path: string, query: string): Record<Language, string> {
  const inLanguage = (lang: string) => {
    const parameters = new URLSearchParams(query);
    parameters.set("lang", lang);
    return `${path}?${parameters.toString()}`;
  };
  return { en: inLanguage("en"), de: inLanguage("de") };
}
