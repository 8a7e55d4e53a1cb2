/** Markdown as the pages use it: anchors, code, tables and pictures. */
import MarkdownIt, { type Token } from "markdown-it";
import { html, type Html, escapeHtml, trustedHtml } from "../src/web/html.ts";
import { createAnchors } from "./heading-anchors.ts";
import { renderCode } from "./highlight.ts";

/** A heading and the words below it. */
export interface PageSection {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
  readonly words: string;
}

export interface ParsedPage {
  readonly tokens: readonly Token[];
  readonly sections: readonly PageSection[];
}

/** Where a link or a picture leads, seen from the page; null when the site has no such file. */
export interface PageTargets {
  link(target: string): string | null;
  picture(target: string): Picture | null;
}

export interface Picture {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

const markdown = new MarkdownIt({ html: true });

/** A table of as many columns is wider than a phone; `style/prose.css` has it too. */
const WIDE_COLUMNS = 5;

export function parsePage(text: string): ParsedPage {
  const tokens = markdown.parse(text, {});
  const anchorOf = createAnchors();
  const sections: { level: number; text: string; anchor: string; words: string }[] = [];
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") {
      const text = plainText(tokens[index + 1]);
      const anchor = anchorOf(text);
      token.attrSet("id", anchor);
      sections.push({ level: Number(token.tag.slice(1)), text, anchor, words: "" });
    } else if (token.type === "inline" && tokens[index - 1]?.type !== "heading_open") {
      const section = sections.at(-1);
      if (section !== undefined) section.words += ` ${plainText(token)}`;
    }
  });
  return { tokens, sections };
}

export function renderPage({ tokens }: ParsedPage, targets: PageTargets): Html {
  labelCells(tokens);
  for (const { children } of tokens) resolveTargets(children ?? [], targets);
  return trustedHtml(markdown.renderer.render([...tokens], markdown.options, {}));
}

/** On a phone the rows of a wide table are lists, which name each cell as its column. */
function labelCells(tokens: readonly Token[]): void {
  let labels: string[] = [];
  let column = 0;
  tokens.forEach((token, index) => {
    if (token.type === "table_open") labels = [];
    if (token.type === "tr_open") column = 0;
    if (token.type === "th_open") labels.push(plainText(tokens[index + 1]));
    if (token.type === "td_open" && labels.length >= WIDE_COLUMNS) {
      token.attrSet("data-label", labels[column++] ?? "");
    }
  });
}

function plainText(token: Token | undefined): string {
  const parts = (token?.children ?? []).map(({ type, content }) =>
    type === "softbreak" ? " " : type === "html_inline" ? "" : content,
  );
  return parts.join("");
}

function resolveTargets(tokens: readonly Token[], targets: PageTargets): void {
  const isShown: boolean[] = [];
  for (const token of tokens) {
    if (token.type === "link_open") {
      const url = targets.link(String(token.attrGet("href") ?? ""));
      isShown.push(url !== null);
      if (url === null) token.hidden = true;
      else token.attrSet("href", url);
    } else if (token.type === "link_close") {
      token.hidden = isShown.pop() === false;
    } else if (token.type === "image") {
      const picture = targets.picture(String(token.attrGet("src") ?? ""));
      if (picture === null) continue;
      token.attrSet("src", picture.url);
      token.attrSet("width", String(picture.width));
      token.attrSet("height", String(picture.height));
      token.attrSet("loading", "lazy");
    }
  }
}

const { rules } = markdown.renderer;

/** A long name may break after an underscore or a dot, and a path before each of its parts: tables have room so. */
const NAME_BREAKS = /(?<=\w[_.])(?=\p{L})|(?<=[\w}])(?=\/)/u;
/** Browsers would break it after its hyphens. */
const OPTION = /(?<![\w-])--?\w+/g;

rules["code_inline"] = (tokens, index) => {
  const parts = (tokens[index]?.content ?? "").split(NAME_BREAKS);
  const markup = parts.map((part) => escapeHtml(part)).join("<wbr />");
  return `<code>${markup.replace(OPTION, "<span>$&</span>")}</code>`;
};

rules["fence"] = (tokens, index) => {
  const { content, info } = tokens[index] ?? { content: "", info: "" };
  return renderCode(content.replace(/\n$/, ""), info.trim()).markup;
};
rules["heading_open"] = (tokens, index, options, _env, self) =>
  `<div class="heading">${self.renderToken(tokens, index, options)}`;
rules["heading_close"] = (tokens, index) => {
  const { tag = "" } = tokens[index] ?? {};
  if (tag === "h1") return "</h1></div>\n";
  const anchor = tokens[index - 2]?.attrGet("id") ?? "";
  const link = html`<a
    class="anchor"
    href="#${anchor}"
    aria-label="# ${plainText(tokens[index - 1])}"
    >#</a
  >`;
  return `</${tag}>${link.markup}</div>\n`;
};
// A wide table scrolls in itself, by keyboard too.
rules["table_open"] = () => '<div class="table" tabindex="0"><table>\n';
rules["table_close"] = () => "</table></div>\n";
// Comments hold what a generator replaces.
rules["html_block"] = () => "";
rules["html_inline"] = (tokens, index) => {
  const { content = "" } = tokens[index] ?? {};
  return content.startsWith("<!--") ? "" : escapeHtml(content);
};
