import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isApiError } from "../../api/errors";
import { meQuery } from "../../api/queries";
import { chooseTheme, chosenTheme, THEMES, type Theme } from "../../browser/theme";
import { Refusal } from "../../components/Refusal";
import { Select } from "../../components/Select";
import { useMe } from "../../session/session";
import { HERE, zonesWith } from "../../text/format";
import { accountApi } from "./api";

const THEME_WORDS: Record<Theme, string> = { system: "As the device", light: "Light", dark: "Dark" };

/** In which zone times are shown to a person, and in which colours this browser shows the pages. */
export function Appearance() {
  return (
    <section className="card stack" aria-labelledby="appearance">
      <h2 id="appearance">Times and colours</h2>
      <ZoneField />
      <ThemeField />
    </section>
  );
}

function ZoneField() {
  const { time_zone } = useMe();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (zone: string) => accountApi.setProfile({ time_zone: zone }),
    onSuccess: (me) => client.setQueryData(meQuery.queryKey, me),
  });
  const zones = zonesWith(time_zone);
  return (
    <>
      <Select
        label="Time zone"
        value={change.isPending ? change.variables : time_zone}
        options={[
          { value: "", text: "As each project" },
          ...zones.map((zone) => ({ value: zone, text: zone === HERE ? `${zone} (this device)` : zone })),
        ]}
        hint="Pages show times in it. Exports, reports and releases keep to their own."
        errors={isApiError(change.error) ? change.error.fields.time_zone : undefined}
        disabled={change.isPending}
        onValue={(zone) => change.mutate(zone)}
      />
      <Refusal error={change.error} placed={(field) => field === "time_zone"} />
    </>
  );
}

function ThemeField() {
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (value: string) => {
    chooseTheme(value as Theme);
    setTheme(value as Theme);
  };
  return (
    <Select
      label="Colours"
      value={theme}
      options={THEMES.map((value) => ({ value, text: THEME_WORDS[value] }))}
      hint="Kept in this browser."
      onValue={choose}
    />
  );
}
