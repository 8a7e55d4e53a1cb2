/** A device that needs the person's key. Whether the account has one decides: no person is asked which device this is. */
import { Button } from "./button.tsx";
import { useRef, useState } from "preact/hooks";
import type { ClientEncryption, KeyOrigin, KeyState } from "trellis/client";
import { useApp } from "../app-context.ts";
import type { KeyError } from "../encryption.ts";
import { leaveTo, TODAY } from "../route.ts";
import type { Texts } from "../texts.ts";
import { formatMoment } from "./format-moment.ts";
import { Page } from "./page.tsx";
import { canScan, ScanKey } from "./scan-key.tsx";
import { TextField } from "./text-field.tsx";

export interface KeyNeededProps {
  readonly keys: ClientEncryption;
  readonly state: Exclude<KeyState, { kind: "ready" }>;
}

export function KeyNeeded({ keys, state }: KeyNeededProps) {
  const { texts, locale } = useApp();
  const words = texts.encryption;
  const { kind } = state;
  return (
    <Page title={kind === "replaced" ? words.replacedTitle : words.neededTitle}>
      <div class="stack">
        <p class="meta">
          {kind === "replaced" ? describeReplacement(state.by, words, locale) : words.intro}
        </p>
        {kind === "unknown" && <p role="status">{words.asking}</p>}
        {kind === "no-key" && <MakeKey keys={keys} />}
        {(kind === "key-elsewhere" || kind === "replaced") && (
          <EnterKey keys={keys} isReplaced={kind === "replaced"} />
        )}
      </div>
    </Page>
  );
}

function describeReplacement(
  by: KeyOrigin | null,
  words: Texts["encryption"],
  locale: string,
): string {
  return by === null
    ? words.disagreesText
    : words.replacedText(by.deviceId, formatMoment(Date.parse(by.at), locale));
}

function MakeKey({ keys }: { keys: ClientEncryption }) {
  const { texts } = useApp();
  const { firstTitle, firstText, make, making } = texts.encryption;
  const [isBusy, run] = useOneAtATime();
  const [error, setError] = useState<KeyError | null>(null);
  const onClick = () =>
    run(async () => {
      setError(null);
      const result = await keys.createKey();
      if (result.kind === "refused") setError(result);
    });
  return (
    <section class="panel stack" aria-label={firstTitle}>
      <h2>{firstTitle}</h2>
      <p class="meta">{firstText}</p>
      <div class="row buttons">
        <Button look="primary" aria-disabled={isBusy} onClick={onClick}>
          {isBusy ? making : make}
        </Button>
      </div>
      <p class="field-error" role="alert">
        {error !== null && describeKeyError(error, texts)}
      </p>
    </section>
  );
}

function EnterKey({ keys, isReplaced }: { keys: ClientEncryption; isReplaced: boolean }) {
  const { texts, notify } = useApp();
  const words = texts.encryption;
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<KeyError | null>(null);
  const [camera, setCamera] = useState<"off" | "on" | "failed">("off");
  const [isBusy, run] = useOneAtATime();
  const enter = (text: string) =>
    run(async () => {
      setError(null);
      const result = await keys.useKey(text);
      if (result.kind === "refused") return setError(result);
      notify(result.checked ? words.unlocked : words.unlockedUnchecked);
      leaveTo(TODAY);
    });
  const onScan = (text: string | null) => {
    setCamera(text === null ? "failed" : "off");
    if (text === null) return;
    setTyped(text);
    enter(text);
  };
  return (
    <section class="panel stack" aria-label={isReplaced ? words.field : words.otherTitle}>
      {!isReplaced && <h2>{words.otherTitle}</h2>}
      <p class="meta">{words.otherText}</p>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          enter(typed);
        }}
      >
        <TextField
          id="recovery-key"
          label={words.field}
          hint={`${words.fieldHint} ${words.notPassword}`}
          value={typed}
          maxLength={200}
          isLong
          isSecret
          error={error === null ? null : describeKeyError(error, texts)}
          onInput={setTyped}
        />
        {camera === "on" && <ScanKey onEnd={onScan} />}
        <div class="row buttons">
          <button type="submit" class="button primary" aria-disabled={isBusy}>
            {isBusy ? words.entering : words.enter}
          </button>
          {canScan() && (
            <Button onClick={() => setCamera(camera === "on" ? "off" : "on")}>
              {camera === "on" ? words.stopScan : words.scan}
            </Button>
          )}
        </div>
        <p class="hint note" role="status">
          {camera === "failed" ? words.noCamera : canScan() ? "" : words.cannotScan}
        </p>
      </form>
    </section>
  );
}

/** Ignores a second click while the first one is at work; the button keeps the focus. */
export function useOneAtATime(): [boolean, (work: () => Promise<void>) => void] {
  const isRunning = useRef(false);
  const [isBusy, setIsBusy] = useState(false);
  const run = (work: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    void work().finally(() => {
      isRunning.current = false;
      setIsBusy(false);
    });
  };
  return [isBusy, run];
}

export function describeKeyError(error: KeyError, { encryption, sync }: Texts): string {
  return error.reason === "failed"
    ? sync.problems[error.error.kind]
    : encryption.keyErrors[error.reason];
}
