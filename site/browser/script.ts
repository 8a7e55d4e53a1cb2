/** What a page does beyond being read: search, theme, copy buttons, the place in the outline. */
import { enableCopying } from "../../src/web/copy-button.ts";
import { createElement } from "../../src/web/create-element.ts";
import { enableSearch } from "./search-dialog.ts";
import { enableThemeButton } from "./theme-button.ts";

/** As in `style/layout.css`: the details of a wide page are open without it where the browser can. */
const WIDE = [
  ["contents", "(min-width: 64rem)"],
  ["outline", "(min-width: 80rem)"],
] as const;

for (const [id, query] of WIDE) {
  const details = document.getElementById(id);
  const wide = matchMedia(query);
  const adapt = () => details?.toggleAttribute("open", wide.matches);
  wide.addEventListener("change", adapt);
  adapt();
}
addCopyButtons();
enableCopying();
followOutline();
enableSearch();
enableThemeButton();

/** Here instead of in the page, which would have every sample twice. */
function addCopyButtons(): void {
  const { copyText = "", copiedText = "" } = document.body.dataset;
  for (const bar of document.querySelectorAll(".code-bar")) {
    const sample = bar.parentElement?.querySelector("pre")?.textContent ?? "";
    const attributes = { type: "button", class: "copy", hidden: "" };
    const copying = { "data-copy": sample, "data-copied": copiedText };
    const label = createElement("span", { class: "copy-label" }, copyText);
    bar.append(createElement("button", { ...attributes, ...copying }, label));
  }
}

/** Marks the section that is being read. */
function followOutline(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>("#outline a")].map((link) => [
      decodeURIComponent(link.hash.slice(1)),
      link,
    ]),
  );
  const headings = [...document.querySelectorAll<HTMLElement>(".prose :is(h2, h3)")].filter(
    ({ id }) => links.has(id),
  );
  const observer = new IntersectionObserver(
    () => {
      const read = headings.findLast((heading) => heading.getBoundingClientRect().top < 160);
      for (const [id, link] of links) {
        if (id === read?.id) link.setAttribute("aria-current", "location");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "0px 0px -70% 0px" },
  );
  for (const heading of headings) observer.observe(heading);
}
