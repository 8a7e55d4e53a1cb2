/** Responses with a page, its nonce and its language links. */
import {
  pageContentSecurityPolicy,
  type PageSources,
} from "../contract/content-security-policy.ts";
import { LANGUAGES, type Language } from "../contract/language.ts";
import { chooseLanguage } from "./choose-language.ts";
import type { RawRequest } from "./request.ts";
import type { HttpResponse } from "./response.ts";
import { splitTarget } from "./target.ts";

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

export interface FrameAnywhere {
  readonly language: Language;
  readonly displayName: string;
  readonly nonce: string;
  readonly languageUrls: Readonly<Record<Language, string>>;
}

/** The frame of a page at any address, also one that is not there: its links begin with the query. */
export function createFrameAnywhere(
  request: Pick<RawRequest, "header" | "target">,
  displayName: string,
  randomBytes: (length: number) => Uint8Array,
): FrameAnywhere {
  const { search } = splitTarget(request.target);
  const asked = new URLSearchParams(search).get("lang");
  return {
    language:
      LANGUAGES.find((language) => language === asked) ??
      chooseLanguage(request.header("accept-language"), LANGUAGES),
    displayName,
    nonce: createNonce(randomBytes),
    languageUrls: createLanguageUrls("", search),
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
