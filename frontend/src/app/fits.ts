/**
 * Nothing runs here: the compiler holds the admin screens' own shapes against the server's schema. A line that no longer
 * compiles names the screen whose data changed.
 */

import type { AgreementPage } from "../api/agreement";
import type { CodebookVersion } from "../api/codebooks";
import type { Answer } from "../api/contract";
import type { Insights } from "../api/insights";
import type { Invite, Member } from "../api/members";
import type { Round, RoundsPage } from "../api/rounds";
import type { PrototypePage } from "../features/rounds/prototype/api";
import type { TestSetPage } from "../features/rounds/test-set/api";

type Fits<Server extends Screen, Screen> = [Server] extends [never] ? never : Screen;
/** What the schema calls JSON or a list is left to the screen: `Loose` takes these properties as the screen has them. */
type Loose<Server, Screen, Key extends keyof Server & keyof Screen> = Omit<Server, Key> & Pick<Screen, Key>;

type Agreement = Answer<"/api/projects/{project_id}/agreement/", "get">;
type AgreementRow = AgreementPage["rows"][number];
type Rounds = Answer<"/api/projects/{project_id}/rounds/", "get">;
type OneRound = Loose<Answer<"/api/rounds/{round_id}/", "get">, Round, "options">;
type Version = Answer<"/api/projects/{project_id}/codebooks/", "get">[number];

export type Checked = [
  Fits<Loose<Agreement, AgreementPage, "rows">, AgreementPage>,
  Fits<Loose<Agreement["rows"][number], AgreementRow, "pair">, AgreementRow>,
  Fits<Loose<Version, CodebookVersion, "definition">, CodebookVersion>,
  Fits<Answer<"/api/projects/{project_id}/members/", "get">, Member[]>,
  Fits<Answer<"/api/projects/{project_id}/invites/", "get">, Invite[]>,
  Fits<Loose<Rounds, RoundsPage, "rounds" | "strategies">, RoundsPage>,
  Fits<OneRound, Round>,
  Fits<Answer<"/api/projects/{project_id}/insights/", "get">, Insights>,
  Fits<Answer<"/api/projects/{project_id}/test-set/", "get">, TestSetPage>,
  Fits<Answer<"/api/projects/{project_id}/prototype/", "get">, PrototypePage>,
];
