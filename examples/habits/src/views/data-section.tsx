/** The habits as files: to keep, to calculate with, to bring along. */
import { Button } from "./button.tsx";
import { useApp } from "../app-context.ts";
import { formatJson, toBackup } from "../backup.ts";
import { formatTable } from "../backup-table.ts";
import { IMPORT } from "../route.ts";
import { saveFile } from "../save-file.ts";
import { Panel } from "./panel.tsx";

export function DataSection() {
  const { data, texts, today } = useApp();
  const words = texts.files;
  const name = `${words.fileName}-${today}`;
  return (
    <Panel id="data-title" title={words.title}>
      <p class="meta">{words.text}</p>
      <div class="row buttons">
        <Button
          onClick={() => saveFile(formatJson(toBackup(data)), `${name}.json`, "application/json")}
        >
          {words.exportJson}
        </Button>
        <Button onClick={() => saveFile(formatTable(toBackup(data)), `${name}.csv`, "text/csv")}>
          {words.exportCsv}
        </Button>
        <a class="button" href={IMPORT}>
          {words.import}
        </a>
      </div>
    </Panel>
  );
}
