/** Chooses the view; on a wide screen the list stays beside it. The list is there first. */
import { Button } from "./button.tsx";
import type { ComponentType } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { AppContext, signIn, type App, type Services } from "../app-context.ts";
import { useObservable } from "../use-observable.ts";
import { useRoute, type Route } from "../route.ts";
import { TEXTS, type Texts } from "../texts.ts";
import { useStatus } from "../trellis.ts";
import { useToday } from "../use-today.ts";
import type { OtherViewProps } from "./other-view.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import { describeStatus, useCalmKind } from "./status-chip.tsx";
import { Toast, type ToastMessage } from "./toast.tsx";
import { Today } from "./today.tsx";

export interface AppViewProps {
  readonly services: Services;
  /** Said at the start, such as why a sign-in failed. */
  readonly notice: string | null;
}

export function AppView({ services, notice }: AppViewProps) {
  const status = useStatus(services.sync);
  const { language } = useObservable(services.preferences);
  const today = useToday();
  const route = useRoute();
  const isWide = useIsWide();
  const [toast, setToast] = useState<ToastMessage | null>(
    notice === null ? null : { text: notice },
  );
  const notify = useCallback((text: string, undo?: () => unknown) => setToast({ text, undo }), []);
  const endToast = useCallback(() => setToast(null), []);
  const texts = TEXTS[language];
  const locale = navigator.languages.find((tag) => tag.startsWith(language)) ?? language;
  const app: App = { ...services, status, language, locale, texts, today, notify };
  const isTwoColumns = isWide && route.view !== "today";
  const selectedId = "habitId" in route ? route.habitId : null;
  useFocusOnReturn(route, selectedId);
  useManifestErrorNotice(app);
  useEffect(() => {
    if (services.serverKind.isToSignIn && window.parent === window) void signIn(app);
  }, []);
  return (
    <AppContext.Provider value={app}>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          const content = document.querySelector<HTMLElement>("main");
          content?.querySelector<HTMLElement>("a, button, input")?.focus();
        }}
      >
        {texts.skip}
      </a>
      <div class="layout" data-columns={isTwoColumns ? 2 : 1}>
        {isTwoColumns && (
          <aside class="column" aria-label={texts.today.title}>
            <Today selectedId={selectedId} isBeside />
          </aside>
        )}
        {route.view === "today" && (
          <div class="column">
            <Today selectedId={null} isBeside={false} />
          </div>
        )}
        {route.view !== "today" && (
          <div class="column" key={`${route.view}/${selectedId}`}>
            <View route={route} services={services} texts={texts} />
          </div>
        )}
      </div>
      <Announcer app={app} />
      <Shortcuts />
      <Toast message={toast} onEnd={endToast} />
    </AppContext.Provider>
  );
}

type LoadedView = ComponentType<OtherViewProps> | "failed" | null;

/** The views beside the list are loaded as soon as that is painted, so that a tap finds them here. */
function View(props: OtherViewProps & { texts: Texts }) {
  const [loaded, setLoaded] = useState<LoadedView>(null);
  useEffect(() => {
    // A function in the place of the state would be called.
    void loadOtherView().then((view) => setLoaded(() => view));
  }, []);
  if (loaded === null) return null;
  if (loaded !== "failed") {
    const Other = loaded;
    return <Other {...props} />;
  }
  return (
    <main id="content" class="start">
      <p role="alert">{props.texts.notLoaded}</p>
      <p>
        <Button onClick={() => location.reload()}>{props.texts.reload}</Button>
      </p>
    </main>
  );
}

/** Browsers remember a module that could not be loaded: only a reload asks for it again. */
export function loadOtherView(): Promise<Exclude<LoadedView, null>> {
  return import("./other-view.tsx").then(
    ({ OtherView }) => OtherView,
    () => "failed" as const,
  );
}

/** Says changes of sync that a person who does not see the chip should hear. */
function Announcer({ app }: { app: App }) {
  const kind = useCalmKind(app.status);
  const text = describeStatus(kind, app.status, app.texts);
  const isFirst = useRef(true);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (!isFirst.current) setSaid(text);
    isFirst.current = false;
    // The number of changes to send is not worth an interruption.
  }, [kind, app.status.quarantined, app.language]);
  return (
    <p class="unseen" role="status">
      {said}
    </p>
  );
}

/** What is not the maker's is worth a word, and nothing to do. */
function useManifestErrorNotice({ updates, texts, notify }: App): void {
  useEffect(
    () =>
      updates?.manifestError.subscribe(() => {
        if (updates.manifestError.get() !== null) notify(texts.update.refused);
      }),
    [updates, texts],
  );
}

/** Back in the list, the focus is where it was before. */
function useFocusOnReturn(route: Route, selectedId: string | null): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (route.view !== "today") {
      last.current =
        selectedId === null ? `#/${route.view}` : `#/habit/${encodeURIComponent(selectedId)}`;
      return;
    }
    if (last.current === null) return;
    const link = document.querySelector<HTMLElement>(`a[href="${CSS.escape(last.current)}"]`);
    (link ?? document.querySelector<HTMLElement>(".add"))?.focus();
  }, [route.view, selectedId]);
}

const WIDE = "(min-width: 56rem)";

function useIsWide(): boolean {
  const [isWide, setIsWide] = useState(matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const update = () => setIsWide(query.matches);
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, []);
  return isWide;
}
