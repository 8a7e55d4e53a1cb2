/** Every view but the list: loaded after it. */
import type { Services } from "../app-context.ts";
import type { Route } from "../route.ts";
import { ArchiveView } from "./archive.tsx";
import { EditHabit, NewHabit } from "./habit-form.tsx";
import { History } from "./history.tsx";
import { ImportView } from "./import.tsx";
import { KeyPage } from "./key-page.tsx";
import { NewKey } from "./new-key.tsx";
import { OrderView } from "./order.tsx";
import { Settings } from "./settings.tsx";
import { UpdateView } from "./version-section.tsx";

export interface OtherViewProps {
  readonly route: Route;
  readonly services: Services;
}

export function OtherView({ route, services }: OtherViewProps) {
  const { encryption } = services;
  switch (route.view) {
    case "today":
      return null;
    case "new":
      return <NewHabit />;
    case "edit":
      return <EditHabit habitId={route.habitId} />;
    case "history":
      return <History habitId={route.habitId} />;
    case "order":
      return <OrderView />;
    case "import":
      return <ImportView />;
    case "archive":
      return <ArchiveView />;
    case "settings":
      return <Settings />;
    case "key":
      return encryption === null ? <Settings /> : <KeyPage encryption={encryption} />;
    case "new-key":
      return encryption === null ? <Settings /> : <NewKey keys={encryption.keys} />;
    case "update":
      return services.updates === null ? <Settings /> : <UpdateView updates={services.updates} />;
  }
}
