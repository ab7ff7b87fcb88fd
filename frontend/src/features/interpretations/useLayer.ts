import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { codebooksQuery, publishedCodebook } from "../../api/codebooks";
import type { SpanLayer } from "../../api/types";

const NO_LAYER: SpanLayer = { target: null, categories: [] };

/** The categories of the published codebook, for names and colours; none while they are not known. */
export function useLayer(projectId: string): SpanLayer {
  const { data } = useQuery(codebooksQuery(projectId));
  return useMemo(() => {
    const definition = data && publishedCodebook(data)?.definition;
    return definition?.span_layer ?? NO_LAYER;
  }, [data]);
}

/** The key of a category that a text form names by its marker; the marker itself where the codebook has none. */
export function keyOf(layer: SpanLayer, name: string): string {
  const wanted = plain(name);
  const found = layer.categories.find(({ key, marker }) => plain(marker) === wanted || plain(key) === wanted);
  return found?.key ?? name;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, "");
}
