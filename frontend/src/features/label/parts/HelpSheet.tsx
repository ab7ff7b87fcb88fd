import { Dialog } from "../../../components/Dialog";
import { Key } from "../../../components/Key";
import { type Action, groupedActions } from "../../../keyboard/registry";

/** Every key that acts now, written from the registry that makes them act. */
export function HelpSheet({ actions, onClose }: { actions: readonly Action[]; onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <p className="mute small">
        While you type in a box, none of these act but those with Ctrl (⌘ on a Mac). With Alt none do.
      </p>
      {groupedActions(actions).map((group) => (
        <section key={group.name} className="stack" aria-label={group.name}>
          <h3>{group.name}</h3>
          <ul className="key-list">
            {group.actions.map((action) => (
              <li key={action.id}>
                <Key name={action.key ?? ""} />
                <span className="visually-hidden">{action.key}: </span>
                {action.label}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}
