/** The value of an observable, in a view. */
import { useEffect, useState } from "preact/hooks";
import type { Observable } from "./observable.ts";

export function useObservable<T>(observable: Observable<T>): T {
  const [value, setValue] = useState(observable.get());
  useEffect(() => {
    const update = () => setValue(() => observable.get());
    update();
    return observable.subscribe(update);
  }, [observable]);
  return value;
}
