/** Adds a passkey to the signed-in account. */
import { explainError } from "../login/explain-error.ts";
import { isLocalPath, postJson } from "../login/post.ts";
import { findElement, readPageData } from "../page-script.ts";
import { createPasskey, hasPasskeySupport } from "./ceremony.ts";
import type { PasskeyMessages } from "./sign-in.ts";

/** What a page passes to the script. */
export interface AddPasskeyData {
  readonly endpoint: string;
  readonly csrf: string;
  readonly messages: PasskeyMessages;
}

/** Does nothing on a page without the form, and in a browser without passkeys. */
export function startAddPasskey(): void {
  const data = readPageData<AddPasskeyData>("add-passkey", "passkey");
  if (data === null || !hasPasskeySupport()) return;
  const form = findElement(HTMLFormElement, "add-passkey");
  const name = findElement(HTMLInputElement, "passkey-name");
  const error = findElement(HTMLElement, "passkey-error");
  findElement(HTMLElement, "passkey-unavailable").hidden = true;
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.classList.contains("busy")) return;
    error.textContent = "";
    form.classList.add("busy");
    void addPasskey(data, name.value).then((text) => {
      form.classList.remove("busy");
      error.textContent = text;
    });
  });
}

/** Returns the text of an error; without one the browser goes to the next page. */
async function addPasskey({ endpoint, csrf, messages }: AddPasskeyData, name: string) {
  const post = (body: object) =>
    postJson(endpoint, { ...body, csrf }, { credentials: "same-origin" });
  const begun = await post({ action: "begin" });
  if (begun.kind !== "json") return explainError(begun, messages);
  const created = await createPasskey(begun.body);
  if (created.kind !== "credential") return messages[created.kind];
  const added = await post({ action: "complete", name, credential: created.credential });
  if (added.kind !== "json") return explainError(added, messages);
  const { next } = added.body;
  if (typeof next !== "string" || !isLocalPath(next)) return messages.unexpected;
  location.assign(next);
  return "";
}
