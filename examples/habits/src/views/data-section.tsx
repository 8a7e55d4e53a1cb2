/** The habits as files: to keep, to calculate with, to bring along. */
import { useApp } from "../app-context.ts";
import { formatJson, toBackup } from "../backup.ts";
import { formatTable } from "../backup-table.ts";
import { IMPORT } from "../route.ts";
import { saveFile } from "../save-file.ts";

export function DataSection() {
  const { data, texts, today } = useApp();
  const words = texts.files;
  const name = `${words.fileName}-${today}`;
  return (
    <section class="panel" aria-labelledby="data-title">
      <h2 id="data-title">{words.title}</h2>
      <p class="soft">{words.text}</p>
      <div class="row">
        <button
          type="button"
          onClick={() => saveFile(formatJson(toBackup(data)), `${name}.json`, "application/json")}
        >
          {words.exportJson}
        </button>
        <button
          type="button"
          onClick={() => saveFile(formatTable(toBackup(data)), `${name}.csv`, "text/csv")}
        >
          {words.exportCsv}
        </button>
        <a class="button" href={IMPORT}>
          {words.import}
        </a>
      </div>
    </section>
  );
}
