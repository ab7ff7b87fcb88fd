import { Dialog } from "../../../components/Dialog";
import { Key } from "../../../components/Key";
import { type Action, helpGroups } from "../../../keyboard/registry";

/** Every key that acts now, written from the registry that makes them act. */
export function HelpSheet({ actions, onClose }: { actions: readonly Action[]; onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <p className="mute small">
        While you type in a box, none of these act but those with Ctrl (⌘ on a Mac). With Alt none do.
      </p>
      {helpGroups(actions).map((group) => (
        <section key={group.name} className="stack" aria-label={group.name}>
          <h3>{group.name}</h3>
          <ul className="key-list">
            {group.lines.map(({ label, keys }) => (
              <li key={label}>
                {keys.map((key) => (
                  <Key key={key} name={key} />
                ))}
                <span className="visually-hidden">{keys.join(" or ")}: </span>
                {label}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}
