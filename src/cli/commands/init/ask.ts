/** The questions of `init`: an option answers its own, and without a terminal none is asked. */
import { isHttpsOrLoopback } from "../../../contract/loopback.ts";
import { findRedirectError } from "../../../identity/redirect-error.ts";
import type { PromptContext } from "../../command.ts";
import { askText } from "../../prompts.ts";

type Validate = (answer: string) => string | undefined;

/** Asks one question; undefined when there is no answer, which leaves the default. */
export async function ask(
  context: PromptContext,
  name: string,
  message: string,
  initialValue: string,
  validate?: Validate,
): Promise<string | undefined> {
  const given = context.options[name] as string | undefined;
  if (given !== undefined || !context.isInteractive) return given;
  return (await askText(context, message, initialValue, validate)).trim();
}

/** Several answers in one line. */
export async function askList(
  context: PromptContext,
  name: string,
  message: string,
  initialValue: string,
  validate: Validate,
): Promise<string[]> {
  const given = context.options[name] as string[];
  if (given.length > 0 || !context.isInteractive) return given;
  return splitWords(await askText(context, message, initialValue, validate));
}

export function splitWords(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

export function checkAddress(answer: string): string | undefined {
  const url = URL.canParse(answer.trim()) ? new URL(answer.trim()) : null;
  return url !== null && isHttpsOrLoopback(url)
    ? undefined
    : "Give an address that begins with https://, or http:// on this machine";
}

export function checkOrigins(answer: string): string | undefined {
  const wrong = splitWords(answer).find(
    (origin) => !URL.canParse(origin) || new URL(origin).origin !== origin,
  );
  return wrong === undefined
    ? undefined
    : `${wrong}: give an exact origin such as https://app.example.com, without a path`;
}

export function checkRedirectUris(answer: string): string | undefined {
  const uris = splitWords(answer);
  if (uris.length === 0) return "Give at least one: the app's documentation names them";
  for (const uri of uris) {
    // The person names every address of the app, so a scheme without a dot is intended.
    const error = findRedirectError(uri, "any");
    if (error !== null) return `${uri}: ${error}`;
  }
  return undefined;
}
