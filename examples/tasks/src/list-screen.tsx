import { useState, useSyncExternalStore } from "react";
import { useQuery } from "trellis/react";
import { addTask, projects, store, tasks, type Attempt } from "./data.ts";
import { texts } from "./texts.ts";

const PAGE = 100;

/** All tasks in their order, each with the name of its project. */
export function ListScreen({ attempt }: { attempt: Attempt }) {
  const [limit, setLimit] = useState(PAGE);
  const { rows, isComplete } = useQuery(tasks, { limit });
  const open = useSyncExternalStore(tasks.subscribe, countOpen);
  const names = new Map(useQuery(projects).rows.map(({ id, name }) => [id, name]));
  const setDone = (id: string, done: boolean) => attempt(store(tasks.patch(id, { done })));
  return (
    <>
      <h1>{texts.app}</h1>
      <NewTask attempt={attempt} />
      <p className="meta" aria-busy={!isComplete}>
        {!isComplete ? texts.opening : rows.length === 0 ? texts.nothing : texts.open(open)}
      </p>
      <ul className="tasks">
        {rows.map(({ id, title, done, tags, project }) => (
          <li key={id} className="row panel">
            <label>
              <input
                type="checkbox"
                checked={done}
                onChange={({ target }) => setDone(id, target.checked)}
              />
              <span className="unseen">{`${texts.done}: ${title}`}</span>
            </label>
            <a href={`#/task/${id}`}>{title}</a>
            <small className="fine">{[names.get(project), ...tags].join(" · ")}</small>
          </li>
        ))}
      </ul>
      {rows.length === limit && (
        <button type="button" className="button" onClick={() => setLimit(limit + PAGE)}>
          {texts.showMore}
        </button>
      )}
    </>
  );
}

const countOpen = () => tasks.count({ where: { done: false } });

function NewTask({ attempt }: { attempt: Attempt }) {
  const [title, setTitle] = useState("");
  const [project, setProject] = useState("");
  const { rows: known } = useQuery(projects, { orderBy: "name" });
  return (
    <form
      className="row buttons"
      onSubmit={(event) => {
        event.preventDefault();
        // At once: the person may type the next title while this one is stored.
        setTitle("");
        const added = addTask(title, project).catch((error: unknown) => {
          setTitle((next) => (next === "" ? title : next));
          throw error;
        });
        attempt(added);
      }}
    >
      <label className="field">
        {texts.newTask}
        <input required value={title} onChange={({ target }) => setTitle(target.value)} />
      </label>
      <label className="field">
        {texts.project}
        <input
          required
          list="projects"
          value={project}
          onChange={({ target }) => setProject(target.value)}
        />
      </label>
      <datalist id="projects">
        {known.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <button className="button primary">{texts.add}</button>
    </form>
  );
}
