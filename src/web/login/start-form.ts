/** The behaviour of a form that proves a password: one attempt at a time, none while throttled. */
import { parseUsername } from "../../rules/identity/grammar.ts";
import { hasWebCrypto } from "../../rules/web-crypto.ts";
import { readPageData } from "../page-script.ts";
import { startPasskeySignIn, type PasskeySignInData } from "../passkey/sign-in.ts";
import { formatWait, startCountdown } from "./countdown.ts";
import { createFormView, type FormValues, type FormView } from "./form-view.ts";
import {
  createSessionRequests,
  type KnownBrowserPlace,
  type SessionSignInData,
} from "./proof-requests.ts";
import {
  signIn,
  type SignInPageData,
  type SignInProgress,
  type SignInRequests,
  type SignInFormResult,
} from "./sign-in.ts";
import type { SignInMessages } from "./texts.ts";

export interface ProofForm<Id extends string> {
  readonly view: FormView<Id>;
  readonly messages: SignInMessages;
  /** Null when the view already shows what is wrong with the values. */
  readonly run: (
    values: FormValues<Id>,
    progress: SignInProgress,
  ) => Promise<SignInFormResult | null>;
  readonly onSignedIn: (target: string) => void;
}

export function startForm<Id extends string>(form: ProofForm<Id>): void {
  const { view, messages, run, onSignedIn } = form;
  if (!hasWebCrypto()) {
    view.showInsecure();
    return;
  }
  view.showForm();
  let state: "idle" | "busy" | "paused" = "idle";

  const pause = (seconds: number) => {
    state = "paused";
    startCountdown(seconds, document.documentElement.lang, (text) => {
      view.showCountdown(text === null ? null : messages.waitFor.replace("{time}", text));
      if (text !== null) return;
      state = "idle";
      view.announce(messages.mayTryAgain);
    });
  };

  const finish = (result: SignInFormResult | null) => {
    if (result?.kind === "signed-in") {
      onSignedIn(result.target);
      return;
    }
    state = "idle";
    view.showIdle();
    if (result === null) return;
    const { kind } = result;
    if (kind === "unauthorized" || kind === "unsafe-challenge") view.clearPasswords();
    if (kind === "throttled") {
      // The announced text names the time; the countdown below it is not announced.
      const time = formatWait(result.seconds, document.documentElement.lang);
      view.showError(messages.throttled.replace("{time}", time));
      pause(result.seconds);
      return;
    }
    view.showError(messages[kind], kind === "unexpected" ? result.reference : "");
  };

  view.form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (state === "paused") view.focusError();
    if (state !== "idle") return;
    const values = view.readValues();
    if (values === null) return;
    state = "busy";
    void run(values, createProgress(form)).then(finish);
  });

  // A page from the back/forward cache would show a result that is used up.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}

function createProgress<Id extends string>({ view, messages }: ProofForm<Id>): SignInProgress {
  return {
    onDeriving: () => view.showBusy(messages.deriving),
    onProving: () => {
      view.clearPasswords();
      view.showBusy(messages.proving);
    },
  };
}

export function startSignIn(
  { origin, ownAddress, purpose, attempt, messages }: SignInPageData,
  requests: SignInRequests,
  onSignedIn: (target: string) => void,
  { needsCookies = false } = {},
): void {
  const fields = {
    username: { kind: "text", missing: messages.usernameMissing },
    password: { kind: "password", missing: messages.passwordMissing },
  } as const;
  const view = createFormView("login", fields, messages);
  if (location.origin !== origin) {
    view.showOtherAddress(ownAddress);
    return;
  }
  if (needsCookies && !navigator.cookieEnabled) {
    view.showNoCookies();
    return;
  }
  startForm({
    view,
    messages,
    onSignedIn,
    run: async ({ username: typed, password }, progress) => {
      view.showBusy(messages.contacting);
      const username = parseUsername(typed);
      // No account can have such a name.
      if (username === null) return { kind: "unauthorized" };
      return signIn({ username, password, purpose, attempt, requests }, progress);
    },
  });
  const passkey = readPageData<PasskeySignInData>("passkey-sign-in", "passkey");
  if (passkey !== null) {
    const { endpoint, ...data } = passkey;
    startPasskeySignIn({ ...data, requests: requests.passkey(endpoint), onSignedIn });
  }
}

export function startSessionSignIn(
  data: SessionSignInData,
  knownBrowserPlace: KnownBrowserPlace,
): void {
  const members = { begin: (username: string) => ({ username }), complete: () => ({}) };
  const requests = createSessionRequests(data, members, knownBrowserPlace);
  startSignIn(data, requests, (target) => location.replace(target), { needsCookies: true });
}
