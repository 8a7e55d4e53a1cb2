/** Which version runs, and what the signed manifest says about newer ones. */
import { Button } from "./button.tsx";
import { parseNote, type NoteSpan, type UpdateCheckResult } from "trellis/client";
import { useApp } from "../app-context.ts";
import { formatSize } from "../format-size.ts";
import { useObservable } from "../use-observable.ts";
import { SETTINGS, UPDATE } from "../route.ts";
import type { Texts } from "../texts.ts";
import type { Updates } from "../updates.ts";
import { Page } from "./page.tsx";
import { Panel } from "./panel.tsx";

export function VersionSection({ updates }: { updates: Updates }) {
  const { texts } = useApp();
  const result = useObservable(updates.result);
  return (
    <Panel id="version-title" title={texts.update.version}>
      <p class="label">{texts.update.running(updates.currentVersion)}</p>
      <p class="meta" role="status">
        {describe(result, texts)}
      </p>
      <div class="row buttons">
        {result?.kind === "update-available" && (
          <a class="button" href={UPDATE}>
            {texts.update.whatsNew}
          </a>
        )}
        <Button onClick={() => void updates.check()}>{texts.update.check}</Button>
      </div>
    </Panel>
  );
}

function describe(result: UpdateCheckResult | null, { update }: Texts): string {
  switch (result?.kind) {
    case undefined:
      return update.checking;
    case "update-available":
      return update.here(result.release.version);
    case "no-artifact":
      return update.noArtifact(result.release.version);
    case "withdrawn":
      return update.withdrawn(result.withdrawn.reason);
    case "cannot-confirm":
      return update.cannotConfirm;
    case "up-to-date":
    case "would-downgrade":
      return update.upToDate;
  }
}

const NOTE_KINDS = ["added", "changed", "fixed", "security"] as const;

export function UpdateView({ updates }: { updates: Updates }) {
  const { texts, language, locale } = useApp();
  const result = useObservable(updates.result);
  if (result?.kind !== "update-available") {
    return (
      <Page title={texts.update.version} backTo={SETTINGS}>
        <p class="empty panel">{texts.update.gone}</p>
      </Page>
    );
  }
  const { release, artifact, withdrawn } = result;
  const presentation = release.presentation?.[language];
  const notes = presentation?.changes ?? release.notes;
  // Below the headline, where there is one.
  const NoteHeading = presentation === undefined ? "h2" : "h3";
  return (
    <Page title={texts.update.title(release.version)}>
      <div class="stack">
        <section class="panel stack">
          {withdrawn !== null && <p class="error">{texts.update.withdrawn(withdrawn.reason)}</p>}
          {presentation !== undefined && (
            <>
              <h2>{presentation.headline}</h2>
              <p class="meta">{presentation.summary}</p>
            </>
          )}
          {NOTE_KINDS.filter((kind) => notes[kind].length > 0).map((kind) => (
            <div key={kind}>
              <NoteHeading>{texts.update.notes[kind]}</NoteHeading>
              <ul class="bullets">
                {notes[kind].map((note) => (
                  <NoteItem key={note} note={note} />
                ))}
              </ul>
            </div>
          ))}
          <div class="row buttons">
            <a class="button primary" href={artifact.url} rel="noreferrer noopener">
              {texts.update.download(formatSize(artifact.size, locale))}
            </a>
          </div>
          <p class="hint">{texts.update.signed}</p>
          <details class="more">
            <summary>{texts.update.digest}</summary>
            <code>{artifact.sha256}</code>
          </details>
        </section>
      </div>
    </Page>
  );
}

function NoteItem({ note }: { note: string }) {
  const { words, points } = parseNote(note);
  return (
    <li>
      {words.map(toElement)}
      {points.length > 0 && (
        <ul class="bullets">
          {points.map((point) => (
            <li>{point.map(toElement)}</li>
          ))}
        </ul>
      )}
    </li>
  );
}

function toElement({ text, href }: NoteSpan) {
  if (href === null) return text;
  return (
    <a href={href} rel="noreferrer noopener">
      {text}
    </a>
  );
}
