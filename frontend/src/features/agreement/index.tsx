import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { NotLoaded } from "../../components/states";
import { useProject } from "../../session/project";
import { asQuery, choiceFrom } from "./choice";
import { SpanAgreement } from "./SpanAgreement";
import { StagedAgreement } from "./StagedAgreement";
import { spanAgreementQuery } from "./spanApi";
import "../../components/admin.css";
import "./agreement.css";

export function Component() {
  const project = useProject();
  const [asked, ask] = useSearchParams();
  const choice = choiceFrom(asked);
  const spans = useQuery(spanAgreementQuery(project.id));
  const marked = spans.data && spans.data.categories.length > 0 ? spans.data : null;
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>Agreement</h1>
        <p className="mute">How far people agree where they worked on the same items, each on their own.</p>
      </div>
      <StagedAgreement
        mayBeHidden={marked !== null || spans.isPending}
        choice={choice}
        onChange={(part) => ask(asQuery({ ...choice, ...part }))}
      />
      {spans.error && <NotLoaded what="The agreement on spans" error={spans.error} retry={spans.refetch} />}
      {marked && <SpanAgreement page={marked} />}
    </main>
  );
}
