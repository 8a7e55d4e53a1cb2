/** Line icons for highlights, on a grid of 24. */
import { html, trustedHtml, type Html } from "../html.ts";

const SHAPES = {
  bell: '<path d="M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 21h4"/>',
  bolt: '<path d="M13 3 5 14h6l-1 7 8-11h-6z"/>',
  calendar: '<path d="M4 6h16v14H4zM4 10h16M8 3v4M16 3v4"/>',
  chart: '<path d="M4 20h16M7 16v-4M12 16V6M17 16v-7"/>',
  check: '<circle cx="12" cy="12" r="9"/><path d="m8 12 3 3 5-6"/>',
  cloud: '<path d="M7 18a4 4 0 0 1-.5-8A6 6 0 0 1 18 11.5 3.5 3.5 0 0 1 17.5 18z"/>',
  device: '<path d="M7 3h10v18H7zM11 18h2"/>',
  down: '<path d="M12 4v11M7 11l5 5 5-5M5 20h14"/>',
  globe:
    '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18"/>',
  grid: '<path d="M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z"/>',
  heart: '<path d="M12 20 4.5 12.5a4.7 4.7 0 0 1 7.5-5.6 4.7 4.7 0 0 1 7.5 5.6z"/>',
  lock: '<path d="M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3M12 15v2"/>',
  moon: '<path d="M19 14.5A8 8 0 0 1 9.5 5 8 8 0 1 0 19 14.5z"/>',
  palette:
    '<path d="M12 3a9 9 0 1 0 0 18c2 0 2-2 1.2-3-.8-1.2 0-3 1.8-3h3a3 3 0 0 0 3-3c0-5-4-9-9-9z"/><path d="M8 9v.01M12 7v.01M16 9v.01M7 13v.01"/>',
  people:
    '<circle cx="9" cy="8" r="3.5"/><path d="M3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.8 3 5.5"/>',
  search: '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>',
  shield: '<path d="M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6zM9 12l2 2 4-4"/>',
  spark: '<path d="M12 3c.6 5 4 8.4 9 9-5 .6-8.4 4-9 9-.6-5-4-8.4-9-9 5-.6 8.4-4 9-9z"/>',
  sync: '<path d="M5 12a7 7 0 0 1 12-5l2 2M19 4v5h-5M19 12a7 7 0 0 1-12 5l-2-2M5 20v-5h5"/>',
  wrench: '<path d="M14.5 9.5 5 19M15 4a5 5 0 1 0 5 5l-3 1-3-3z"/>',
} as const;

type Shape = keyof typeof SHAPES;

// Plain words, and the names of common icon sets.
const NAMES: ReadonlyMap<string, Shape> = new Map(
  Object.entries({
    bell: "bell notification notifications reminder reminders alarm",
    bolt: "bolt speed fast performance flash lightning zap",
    calendar: "calendar date event events today schedule",
    chart: "chart charts statistics stats insights analytics graph trendingup",
    check: "check checkcircle done task tasks habit",
    cloud: "cloud backup cloudsync",
    device: "device devices phone mobile smartphone",
    down: "down download import offline",
    globe: "globe language languages translate public web",
    grid: "grid widget widgets dashboard apps",
    heart: "heart favorite accessibility health",
    lock: "lock privacy password encryption key",
    moon: "moon darkmode night dark",
    palette: "palette theme themes color colors design brush",
    people: "people group family share team",
    search: "search find filter",
    shield: "shield security safe verified",
    spark: "spark sparkle sparkles star new magic",
    sync: "sync refresh update autorenew",
    wrench: "wrench settings tool tools build fix bug",
  } satisfies Record<Shape, string>).flatMap(([shape, names]) =>
    names.split(" ").map((name) => [name, shape as Shape] as const),
  ),
);

/** An unknown name gets the neutral icon. */
export function highlightIcon(name: string): Html {
  const shape = NAMES.get(name.toLowerCase().replace(/[^a-z]/g, "")) ?? "spark";
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" data-icon="${shape}">
    ${trustedHtml(SHAPES[shape])}
  </svg>`;
}
