import { useEffect, useState, useSyncExternalStore } from "react";
import { continueSignIn, type Attempt } from "./data.ts";
import { ListScreen } from "./list-screen.tsx";
import { StatusBar } from "./status-bar.tsx";
import { TaskScreen } from "./task-screen.tsx";

export function App() {
  const [error, setError] = useState("");
  const attempt: Attempt = (work) =>
    void work.then(
      () => setError(""),
      (reason: Error) => setError(reason.message),
    );
  useEffect(() => attempt(continueSignIn()), []);
  const [, taskId] = useHash().split("/task/");
  return (
    <>
      <StatusBar attempt={attempt} />
      <main>
        <p role="alert" className="field-error">
          {error}
        </p>
        {taskId === undefined ? (
          <ListScreen attempt={attempt} />
        ) : (
          <TaskScreen key={taskId} id={taskId} attempt={attempt} />
        )}
      </main>
    </>
  );
}

function useHash(): string {
  return useSyncExternalStore(
    (listener) => {
      addEventListener("hashchange", listener);
      return () => removeEventListener("hashchange", listener);
    },
    () => location.hash,
  );
}
