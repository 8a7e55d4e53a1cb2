/** The page that `trellis demo` opens with: two devices in frames, the server between them. */
import { renderDocument, type DocumentFrame } from "../document.ts";
import { DEMO_SCRIPT } from "../generated/demo-script.ts";
import { DEMO_STYLE } from "../generated/demo-style.ts";
import { html, type Html } from "../html.ts";
import { writePageData } from "../page-script.ts";
import type { DemoDevice, DemoPageData } from "./call-demo.ts";
import { DEMO_TEXTS, type DemoTexts } from "./texts.ts";

export function renderDemoPage(frame: DocumentFrame, data: DemoPageData): string {
  const texts = DEMO_TEXTS[frame.language];
  const [phone, laptop] = data.devices.map((device) => deviceSection(device, texts));
  const main = html`<h1>${texts.heading}</h1>
    <p class="lead">${texts.lead}</p>
    <noscript><p class="lead">${texts.needsScript}</p></noscript>
    <div class="system" id="demo" data-demo="${writePageData(data)}">
      ${phone} ${serverSection(texts)} ${laptop}
    </div>
    <p class="note fine">${texts.signedIn}</p>`;
  return renderDocument(frame, {
    title: texts.title,
    style: DEMO_STYLE,
    script: DEMO_SCRIPT,
    referrer: "no-referrer",
    main,
  });
}

function deviceSection({ name }: DemoDevice, texts: DemoTexts): Html {
  return html`<section class="device panel" aria-labelledby="${name}">
    <div class="bar">
      <h2 id="${name}">${texts.devices[name]}</h2>
      <button
        class="switch"
        id="${name}-network"
        type="button"
        role="switch"
        aria-checked="true"
        aria-labelledby="${name}-network-label ${name}"
      >
        <span id="${name}-network-label">${texts.network}</span>
        <span class="track" aria-hidden="true"></span>
      </button>
      <p class="state fine" id="${name}-status">${texts.starting}</p>
    </div>
    <iframe id="${name}-frame" title="${texts.frames[name]}" referrerpolicy="no-referrer"></iframe>
    ${log(name, texts)}
  </section>`;
}

function serverSection(texts: DemoTexts): Html {
  const facts = (["entities", "operations", "generation"] as const).map(
    (name) =>
      html`<div>
        <dt>${texts[name]}</dt>
        <dd id="${name}">–</dd>
      </div>`,
  );
  const control = (name: "restore" | "publish" | "homework", detail: string) =>
    html`<div class="control">
      <button class="button" id="${name}" type="button" aria-describedby="${name}-detail">
        ${texts[name]}
      </button>
      <p class="fine" id="${name}-detail">${detail}</p>
    </div>`;
  return html`<section class="server panel" aria-labelledby="server">
    <h2 id="server">${texts.server}</h2>
    <dl>${facts}</dl>
    ${control("restore", texts.restoreDetail)} ${control("publish", texts.publishDetail)}
    ${control("homework", texts.homeworkDetail)} ${log("server", texts)}
  </section>`;
}

/** A log can be scrolled, so it can be focused. */
function log(name: string, texts: DemoTexts): Html {
  return html`<div class="log">
    <h3 id="${name}-log-label">${texts.log}</h3>
    <div class="lines" role="log" aria-labelledby="${name}-log-label ${name}" tabindex="0">
      <ol id="${name}-log"></ol>
    </div>
  </div>`;
}
