/** The newest operations as the server has them: opaque ids, names and values, and what is not hidden. */
import { createElement } from "../../../src/web/create-element.ts";
import { findElement } from "../../../src/web/page-script.ts";
import type { SeenOperation } from "./call-demo.ts";

export function createStoredView() {
  const table = findElement(HTMLTableElement, "stored-rows");
  return (newest: readonly SeenOperation[]): void => {
    while (table.tBodies.length > 0) table.tBodies[0]?.remove();
    table.append(...newest.map(toBody));
  };
}

function toBody({ kind, deviceId, entityId, fields }: SeenOperation): HTMLElement {
  const title = [`${deviceId}: ${kind} `, toCode(entityId)];
  const rows = fields.map(({ name, json }) => {
    const bytes = new TextEncoder().encode(json).length;
    const cells = [toCode(name), toCode(json), String(bytes)];
    return toRow(...cells.map((cell) => createElement("td", {}, cell)));
  });
  const heading = createElement("th", { colspan: "3", scope: "rowgroup" }, ...title);
  return createElement("tbody", {}, toRow(heading), ...rows);
}

const toRow = (...cells: readonly HTMLElement[]) => createElement("tr", {}, ...cells);
const toCode = (text: string) => createElement("code", {}, text);
