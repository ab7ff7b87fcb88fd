import type { Answer } from "../api/contract";
import { moment } from "../text/format";
import { ConfirmButton } from "./ConfirmButton";
import "./tokenList.css";

export type ApiToken = Answer<"/api/me/tokens/", "get">[number];

interface TokenListProps {
  tokens: readonly ApiToken[];
  zone: string;
  /** Whose or for what it is, beside its name. */
  of: (token: ApiToken) => string;
  onRevoke: (id: string) => Promise<unknown>;
}

/** API tokens that still work, with a button that ends each. */
export function TokenList({ tokens, zone, of, onRevoke }: TokenListProps) {
  return (
    <ul className="tokens">
      {tokens.map((token) => (
        <li key={token.id}>
          <div>
            <b>{token.name}</b> ({of(token)}, {token.scope})
            <p className="small mute">
              {token.last_used_at ? `Last used ${moment(token.last_used_at, zone)}` : "Not used yet"}. Works
              until {moment(token.expires_at, zone)}.
            </p>
          </div>
          <ConfirmButton
            button="Revoke"
            label={`Revoke the token ${token.name}`}
            title={`Revoke ${token.name}?`}
            act="Revoke the token"
            danger
            onConfirm={() => onRevoke(token.id)}
          >
            <p>Scripts that use it are refused from now on. It cannot be brought back.</p>
          </ConfirmButton>
        </li>
      ))}
    </ul>
  );
}
