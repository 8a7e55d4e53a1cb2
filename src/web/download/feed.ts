/** The stable releases in one language as an Atom feed (RFC 4287). */
import type { Language } from "../../contract/language.ts";
import type { PublishedSource } from "../../contract/release/catalog.ts";
import { appVersionOf } from "../../rules/release/app-version.ts";
import { html as xml, type Html } from "../html.ts";
import { changeList, localiseRelease, publishedAt, releaseAnchor } from "./localise-release.ts";
import { chosenPage, FEED_NAME, pageFolder } from "./site-paths.ts";
import { DOWNLOAD_TEXTS } from "./texts.ts";

/** Readers fetch the whole feed again and again, and keep older entries themselves. */
export const MAX_FEED_ENTRIES = 20;

export interface FeedOptions {
  readonly productName: string;
  readonly product: string;
  /** Stable releases, newest build first. */
  readonly releases: readonly PublishedSource[];
  /** The address is absolute and ends in a slash. */
  readonly websiteUrl: string;
  readonly now: number;
}

export function atomFeed(options: FeedOptions, language: Language): Html {
  const { productName, websiteUrl } = options;
  const releases = options.releases.slice(0, MAX_FEED_ENTRIES);
  const feedUrl = `${websiteUrl}${pageFolder(language)}${FEED_NAME}`;
  // Readers of this feed have chosen its language.
  const pageUrl = `${websiteUrl}${chosenPage(language)}`;
  // The time is not that of the build: building the same catalogue again is no update.
  const updated = releases.length === 0 ? options.now : Math.max(...releases.map(publishedAt));
  return xml`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>${feedUrl}</id>
<title>${DOWNLOAD_TEXTS[language].feedTitle(productName)}</title>
<updated>${timestamp(updated)}</updated>
<author><name>${productName}</name></author>
<link rel="self" type="application/atom+xml" href="${feedUrl}"/>
<link rel="alternate" type="text/html" hreflang="${language}" href="${pageUrl}"/>
${releases.map((release) => entry(release, options, language, pageUrl))}</feed>
`;
}

function entry(
  release: PublishedSource,
  { product, productName, websiteUrl }: FeedOptions,
  language: Language,
  pageUrl: string,
): Html {
  const { summary, highlights, changes, headline } = localiseRelease(release, language);
  const title = release.presentation === undefined ? "" : `: ${headline}`;
  const published = timestamp(publishedAt(release));
  // Inside content of type html the markup itself is text (RFC 4287 3.1.1.2).
  const content = xml`${summary !== null && xml`<p>${summary}</p>`}${highlights.map(
    (highlight) => xml`<h3>${highlight.title}</h3><p>${highlight.description}</p>`,
  )}${changeList(changes, language, 3)}`;
  return xml`<entry>
<id>tag:${tagAuthority(websiteUrl)},${published.slice(0, 10)}:${product}/${language}/${release.version}</id>
<title>${productName} ${appVersionOf(release)}${title}</title>
<published>${published}</published>
<updated>${published}</updated>
<link rel="alternate" type="text/html" hreflang="${language}" href="${pageUrl}#${releaseAnchor(release)}"/>
${summary !== null && xml`<summary>${summary}</summary>`}
<content type="html">${content.markup}</content>
</entry>
`;
}

function timestamp(instant: number): string {
  return new Date(instant).toISOString();
}

/** RFC 4151: a host name, without a port. */
function tagAuthority(websiteUrl: string): string {
  return new URL(websiteUrl).hostname.replace(/[^a-z0-9.-]/g, "");
}
