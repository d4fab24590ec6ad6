import type { InformerRequest } from "../../cluster/api/informer.ts";
import { allNamed, allOf } from "../../cluster/kinds/kinds.ts";
import type { Concerned } from "../../cluster/kinds/selections.ts";
import { type ListedKind, listedKinds, stackKind } from "../../cluster/kinds/stackKinds.ts";
import { stackLabel } from "../../config/names/labels.ts";

/** A watched list of one kind. Namespaces, Services and EndpointSlices are watched separately. */
export interface WatchedKind extends InformerRequest {
  readonly kind: ListedKind;
}

export const watchedKinds = (stack: Concerned): WatchedKind[] =>
  listedKinds(stack.settings).flatMap((kind) => watched(kind, stack));

function watched<K extends WatchedKind["kind"]>(kind: K, stack: Concerned) {
  const { stack: label } = stack.settings;
  const entry = stackKind(kind);
  return entry.selections
    .filter(
      ({ when, followed, followedWhen = when }) => followed !== "none" && (followedWhen?.(stack, kind, entry) ?? true),
    )
    .flatMap(({ names, label: key, isBesideController, isMeant, what = "", metadataOnly, followed }) => {
      const all = allOf(kind, isBesideController ? stack.settings.route.beside : undefined);
      const given = names?.(stack.settings) ?? [undefined];
      return given.map((only) => ({
        ...all,
        ...(followed === "own" ? { labelSelector: `${stackLabel}=${label}` } : {}),
        ...(key === undefined ? {} : { labelSelector: key }),
        ...(isMeant === undefined ? {} : { what: `${all.what} ${what}`, isMeant: isMeant(stack) }),
        ...(only === undefined ? {} : { what: allNamed(kind, only).what, fieldSelector: `metadata.name=${only}` }),
        ...(metadataOnly ? { metadataOnly } : {}),
      }));
    });
}
