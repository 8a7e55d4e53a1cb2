/** The recovery key, to print, save, copy and scan; after a new one the person shows that they have kept it. */
import { Button } from "./button.tsx";
import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import type { AppEncryption } from "../encryption.ts";
import { chooseGroups, isSameGroup, toGroups } from "../recovery-key.ts";
import { leaveTo, SETTINGS, TODAY } from "../route.ts";
import { saveFile } from "../save-file.ts";
import { Page } from "./page.tsx";
import { QrCode } from "./qr-code.tsx";
import { TextField } from "./text-field.tsx";
import { Bullets } from "./panel.tsx";

interface RecoveryKeyProps {
  readonly recoveryKey: string;
}

export function ShowRecoveryKey({ recoveryKey }: RecoveryKeyProps) {
  const { texts } = useApp();
  return (
    <Page title={texts.encryption.keyTitle} backTo={SETTINGS}>
      <div class="stack">
        <KeySheet recoveryKey={recoveryKey} />
        <div class="row buttons">
          <a class="button primary" href={SETTINGS}>
            {texts.encryption.done}
          </a>
        </div>
      </div>
    </Page>
  );
}

export function KeepRecoveryKey({
  encryption,
  recoveryKey,
}: RecoveryKeyProps & { readonly encryption: AppEncryption }) {
  const { texts, notify } = useApp();
  const { keyTitle, next, confirmTitle, confirmed } = texts.encryption;
  const [isAsked, setIsAsked] = useState(false);
  const onConfirm = () => {
    encryption.isKeyToKeep.set(false);
    notify(confirmed);
    leaveTo(TODAY);
  };
  // Each step is a page of its own: its heading gets the focus.
  return isAsked ? (
    <Page key="confirm" title={confirmTitle}>
      <Confirmation
        groups={toGroups(recoveryKey)}
        onBack={() => setIsAsked(false)}
        onConfirm={onConfirm}
      />
    </Page>
  ) : (
    <Page key="show" title={keyTitle}>
      <div class="stack">
        <KeySheet recoveryKey={recoveryKey} />
        <div class="row buttons">
          <Button look="primary" onClick={() => setIsAsked(true)}>
            {next}
          </Button>
        </div>
      </div>
    </Page>
  );
}

/** What is also printed. */
function KeySheet({ recoveryKey }: RecoveryKeyProps) {
  const { texts, notify } = useApp();
  const words = texts.encryption;
  const copy = () =>
    navigator.clipboard.writeText(recoveryKey).then(
      () => notify(words.copied),
      () => notify(words.notCopied),
    );
  const toFile = () => [words.fileTitle, "", recoveryKey, "", ...words.keyFacts, ""].join("\n");
  return (
    <section class="panel stack sheet">
      <Bullets items={words.keyFacts} />
      <ol class="groups" aria-label={words.groups}>
        {toGroups(recoveryKey).map((group, index) => (
          <li key={index}>
            <code>{group}</code>
          </li>
        ))}
      </ol>
      <div class="row buttons">
        <Button onClick={() => print()}>{words.print}</Button>
        <Button onClick={() => saveFile(toFile(), words.fileName, "text/plain")}>
          {words.save}
        </Button>
        <Button onClick={() => void copy()}>{words.copy}</Button>
      </div>
      <figure class="qr">
        <QrCode text={recoveryKey} label={words.qr} />
        <figcaption class="hint">{words.qrHint}</figcaption>
      </figure>
    </section>
  );
}

interface ConfirmationProps {
  readonly groups: readonly string[];
  readonly onBack: () => void;
  readonly onConfirm: () => void;
}

function Confirmation({ groups, onBack, onConfirm }: ConfirmationProps) {
  const { texts } = useApp();
  const { confirmText, group, wrongGroup, again, confirm } = texts.encryption;
  const [asked] = useState(() => chooseGroups(groups.length, Math.random));
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({});
  const [wrong, setWrong] = useState<number | null>(null);
  const onSubmit = (event: Event) => {
    event.preventDefault();
    const missed = asked.find(
      (number) => !isSameGroup(typed[number] ?? "", groups[number - 1] ?? ""),
    );
    if (missed === undefined) onConfirm();
    else setWrong(missed);
  };
  return (
    <form class="stack" noValidate onSubmit={onSubmit}>
      <p class="meta">{confirmText}</p>
      {asked.map((number) => (
        <TextField
          key={number}
          id={`group-${number}`}
          label={group(number)}
          value={typed[number] ?? ""}
          maxLength={8}
          isSecret
          error={wrong === number ? wrongGroup(number) : null}
          onInput={(value) => {
            setTyped({ ...typed, [number]: value });
            setWrong(null);
          }}
        />
      ))}
      <div class="row buttons">
        <button type="submit" class="button primary">
          {confirm}
        </button>
        <Button onClick={onBack}>{again}</Button>
      </div>
    </form>
  );
}
