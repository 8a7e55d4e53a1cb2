/**
 * A script for the head of a page. Opened from a folder instead of a server, a page cannot load what has an
 * address like `/assets/…`: there the script makes all of them relative, so that the site can be read and
 * followed from a disk or an archive. Search needs a server, because browsers load no modules from files.
 */
export function openedAsFile(page: string): string {
  const root = "../".repeat(page.split("/").length - 1) || "./";
  return `if (location.protocol === "file:") {
  const mend = (node) => {
    for (const name of ["href", "src"]) {
      const value = node.getAttribute?.(name);
      if (value?.startsWith("/")) {
        node.setAttribute(name, ${JSON.stringify(root)} + value.slice(1).replace(/^(?=#|$)|\\/(?=#|$)/, (end) => end + "index.html"));
      }
    }
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(mend);
  }).observe(document, { childList: true, subtree: true });
  document.querySelectorAll("[href], [src]").forEach(mend);
}`;
}
