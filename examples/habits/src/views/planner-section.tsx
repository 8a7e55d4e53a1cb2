/** Connects a planner and imports what is due there. */
import { Button } from "./button.tsx";
import { useState } from "preact/hooks";
import type { OriginError } from "trellis/client";
import { useApp } from "../app-context.ts";
import { useObservable } from "../use-observable.ts";
import type { Planner, PlannerNews } from "../planner.ts";
import type { Texts } from "../texts.ts";
import { Panel } from "./panel.tsx";

export function PlannerSection({ planner }: { planner: Planner }) {
  const { texts } = useApp();
  const { name, activity, news } = useObservable(planner.view);
  const message =
    activity === "importing"
      ? texts.planner.importing
      : news === null
        ? null
        : describe(news, texts);
  return (
    <Panel id="planner-title" title={texts.planner.title}>
      {name === null ? <Connect planner={planner} /> : <Connected planner={planner} name={name} />}
      <p class="meta note" role="status">
        {message}
      </p>
    </Panel>
  );
}

function Connect({ planner }: { planner: Planner }) {
  const { texts, openPage } = useApp();
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<OriginError | null>(null);
  const { service } = planner;
  const serviceName = service === null ? null : (service.name ?? service.origin);
  const onSubmit = async (event: Event) => {
    event.preventDefault();
    setError(await planner.connect(typed, openPage));
  };
  return (
    <form class="stack" noValidate onSubmit={(event) => void onSubmit(event)}>
      <p class="meta">
        {serviceName === null ? texts.planner.intro : texts.planner.introNamed(serviceName)}
      </p>
      {serviceName === null && (
        <div class="field">
          <label for="planner-address">{texts.planner.address}</label>
          <input
            id="planner-address"
            type="url"
            inputMode="url"
            autocomplete="url"
            placeholder="https://"
            value={typed}
            aria-invalid={error === null ? undefined : true}
            aria-describedby={error === null ? "planner-hint" : "planner-error"}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {error === null ? (
            <p id="planner-hint" class="hint">
              {texts.planner.addressHint}
            </p>
          ) : (
            <p id="planner-error" class="field-error" role="alert">
              {texts.planner.originErrors[error]}
            </p>
          )}
        </div>
      )}
      <div class="row buttons">
        <button type="submit" class="button primary">
          {serviceName === null ? texts.planner.connect : texts.planner.connectNamed(serviceName)}
        </button>
      </div>
    </form>
  );
}

function Connected({ planner, name }: { planner: Planner; name: string }) {
  const { texts } = useApp();
  return (
    <>
      <p class="label">{texts.planner.connected(name)}</p>
      <div class="row buttons">
        <Button look="primary" onClick={() => void planner.importNow()}>
          {texts.planner.import}
        </Button>
        <Button aria-describedby="disconnect-hint" onClick={() => planner.disconnect()}>
          {texts.planner.disconnect}
        </Button>
      </div>
      <p id="disconnect-hint" class="hint">
        {texts.planner.disconnectHint}
      </p>
    </>
  );
}

function describe(news: PlannerNews, { planner }: Texts): string {
  switch (news.kind) {
    case "imported":
      return news.mayHaveMore
        ? `${planner.imported(news.count)}. ${planner.moreRemain}`
        : planner.imported(news.count);
    case "reconnect-needed":
      return planner.reconnect;
    case "failed":
      return planner.failed;
    case "not-connected":
      return news.reason === "access_denied" ? planner.denied : planner.notConnected(news.reason);
  }
}
