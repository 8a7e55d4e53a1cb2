/** An element that the page must have; without it page and script do not belong together. */
export function findElement<E extends HTMLElement>(type: new () => E, id: string): E {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no "${id}"`);
  return element;
}
