/** The style of the pages, whose colours follow the system or the theme that a reader chose. */

const DARK = /@media ?(screen and )?\(prefers-color-scheme: ?dark\)\{:root\{([^}]*)\}\}/g;

export function addThemes(style: string): string {
  const themed = style.replaceAll(DARK, (rule, screen: string | undefined, tokens: string) => {
    const system = rule.replace(":root{", ":root:not([data-theme=light]){");
    const chosen = `:root[data-theme=dark]{${tokens}}`;
    return system + (screen === undefined ? chosen : `@media screen{${chosen}}`);
  });
  return `${themed}:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}`;
}
