/** The page that `trellis demo` opens with: two devices in frames, the steps and the server between them. */
import type { Language } from "../../../src/contract/language.ts";
import { renderDocument, type DocumentFrame } from "../../../src/web/document.ts";
import { DEMO_SCRIPT } from "../../../src/web/generated/demo-script.ts";
import { DEMO_STYLE } from "../../../src/web/generated/demo-style.ts";
import { html, type Html } from "../../../src/web/html.ts";
import { writePageData } from "../../../src/web/page-script.ts";
import type { DemoDevice, DemoPageData } from "./call-demo.ts";
import { renderLookAround, type DemoPlaces } from "./look-around.ts";
import { DEMO_TEXTS, type DemoTexts } from "./page-texts.ts";
import { STEPS, type StepName } from "./step-names.ts";

export function renderDemoPage(
  frame: DocumentFrame,
  data: DemoPageData,
  places: DemoPlaces,
): string {
  const { language } = frame;
  const texts = DEMO_TEXTS[language];
  const [phone, laptop] = data.devices.map((device) => deviceSection(device, texts));
  const main = html`<div class="system" id="demo" data-demo="${writePageData(data)}">
      <div class="intro">
        <h1>${texts.heading}</h1>
        <p class="lead">${texts.lead}</p>
        <noscript><p class="lead">${texts.needsScript}</p></noscript>
      </div>
      ${stepList(texts)} ${phone} ${serverSection(texts)} ${timeline(texts)} ${laptop}
    </div>
    ${renderLookAround(language, places)}`;
  return renderDocument(frame, {
    title: texts.title,
    style: DEMO_STYLE,
    script: DEMO_SCRIPT,
    referrer: "no-referrer",
    header: lookAroundLink(language),
    main,
  });
}

function lookAroundLink(language: Language): Html {
  return html`<a class="target onward" id="onward" href="#look-around"
    >${DEMO_TEXTS[language].lookAround}</a
  >`;
}

function stepList(texts: DemoTexts): Html {
  return html`<ol class="steps panel" aria-label="${texts.steps.label}">
    ${STEPS.map((name) => stepItem(name, texts))}
    <li class="end" id="end" hidden>
      <a class="button primary" href="#look-around">${texts.lookAround}</a>
    </li>
  </ol>`;
}

/** The script says which step is the next one, and which are done. */
function stepItem(name: StepName, { steps }: DemoTexts): Html {
  const { title, detail } = steps[name];
  return html`<li class="step" id="item-${name}">
    <div class="words">
      <h2 id="title-${name}">
        ${title}<span class="unseen done-word" hidden> ${steps.done}</span>
      </h2>
      <p class="fine" id="detail-${name}">${detail}</p>
    </div>
    <button
      class="button"
      id="step-${name}"
      type="button"
      data-again="${steps.again}"
      aria-describedby="title-${name} detail-${name}"
    >
      ${steps.start}
    </button>
  </li>`;
}

function deviceSection({ name }: DemoDevice, texts: DemoTexts): Html {
  return html`<section class="device panel ${name}" id="${name}-device" aria-labelledby="${name}">
    <div class="bar">
      <h2 id="${name}">${texts.devices[name]}</h2>
      <p class="state fine" id="${name}-status">${texts.starting}</p>
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
    </div>
    <iframe id="${name}-frame" title="${texts.frames[name]}" referrerpolicy="no-referrer"></iframe>
  </section>`;
}

/** The script fills in what the server has. */
function serverSection(texts: DemoTexts): Html {
  const facts = (["entities", "operations", "generation"] as const).map(
    (name) =>
      html`<div>
        <dt>${texts[name]}</dt>
        <dd id="${name}">–</dd>
      </div>`,
  );
  return html`<section class="server panel" id="server-panel" aria-labelledby="server">
    <h2 id="server">${texts.server}</h2>
    <p class="fine" id="week-label">${texts.week}</p>
    <ul class="week" id="week" aria-labelledby="week-label"></ul>
    <dl>${facts}</dl>
  </section>`;
}

/** What happened on both devices and the server. It can be scrolled, so it can be focused. */
function timeline(texts: DemoTexts): Html {
  return html`<section class="log panel" aria-labelledby="timeline-label">
    <h2 id="timeline-label">${texts.log}</h2>
    <div class="lines" role="log" aria-labelledby="timeline-label" tabindex="0">
      <ol id="timeline"></ol>
    </div>
  </section>`;
}
