/** The newest operations as the server has them: opaque ids, names and values, and what is not hidden. */
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
  const body = document.createElement("tbody");
  const heading = document.createElement("th");
  heading.colSpan = 3;
  heading.scope = "rowgroup";
  heading.append(`${deviceId}: ${kind} `, toCode(entityId));
  body.append(toRow(heading));
  for (const { name, json } of fields) {
    const bytes = new TextEncoder().encode(json).length;
    body.append(toRow(toCell(toCode(name)), toCell(toCode(json)), toCell(String(bytes))));
  }
  return body;
}

function toRow(...cells: readonly HTMLElement[]): HTMLElement {
  const row = document.createElement("tr");
  row.append(...cells);
  return row;
}

function toCell(content: Node | string): HTMLElement {
  const cell = document.createElement("td");
  cell.append(content);
  return cell;
}

function toCode(text: string): HTMLElement {
  const code = document.createElement("code");
  code.textContent = text;
  return code;
}
