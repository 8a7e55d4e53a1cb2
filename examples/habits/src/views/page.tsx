/** The frame of a view: its heading gets the focus, so that a screen reader says where one is. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { TODAY } from "../route.ts";
import { Icon } from "./icon.tsx";

export interface PageProps {
  readonly title: string;
  readonly backTo?: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Page({ title, backTo = TODAY, actions, children }: PageProps) {
  const { texts } = useApp();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${texts.appName}`;
  }, [title, texts]);
  useLayoutEffect(() => {
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <header class="bar">
        <a class="round" href={backTo} aria-label={texts.back}>
          <Icon name="back" />
        </a>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions}
      </header>
      <main id="content">{children}</main>
    </>
  );
}
