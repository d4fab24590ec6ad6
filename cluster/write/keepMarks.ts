import type { KubernetesObject } from "@kubernetes/client-node";
import { manifestKind } from "../../config/names/customKinds.ts";
import type { Settings } from "../../config/settings.ts";
import { type ApiServer, withApiServer } from "../api/client.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { reportProgress } from "../api/progress.ts";
import { failuresOf } from "../inParallel.ts";
import { kindEntry, objectPath } from "../kinds/kinds.ts";
import { keyOf, type ObjectName } from "../kinds/objectName.ts";

type Texts = Readonly<Record<string, string>>;

export interface UndeclaredMarks extends ObjectName {
  readonly labels: Texts;
  readonly annotations: Texts;
}

/** The field manager that holds them. */
const holder = "kept-by-kubecamp";

/**
 * Has another field manager hold what kubectl has written, so that it stays when the plugin takes over from kubectl.
 * What others hold stays by itself. A failure stops nothing: returns those objects, with the reason.
 * @throws RunError if the sign-in fails
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export async function keepMarks(all: readonly UndeclaredMarks[], { cluster }: Pick<Settings, "cluster">) {
  if (all.length === 0) {
    return [];
  }
  const keep = (api: ApiServer) => failuresOf(all, (marks) => keepOne(api, marks));
  // Without an answer, the run goes on.
  const failed = await withApiServer(findApiTarget(cluster.context), { notify: reportProgress }, keep, "overview");
  return [...failed].map(([{ kind, name, namespace }, why]) => ({ kind, name, namespace, why }));
}

async function keepOne(api: ApiServer, { kind, name, namespace, labels, annotations }: UndeclaredMarks): Promise<void> {
  const path = objectPath({ kind, name, namespace });
  const what = keyOf({ kind, name, namespace });
  const live = await api.get<KubernetesObject>({ what, path });
  const kept = { labels: keptOf(live, "labels", labels), annotations: keptOf(live, "annotations", annotations) };
  if (Object.keys({ ...kept.labels, ...kept.annotations }).length === 0) {
    return;
  }
  const { resourceVersion } = live?.metadata ?? {};
  await api.write({
    what: `keep the labels and annotations that others have put on ${what}`,
    method: "PATCH",
    path: `${path}?fieldManager=${holder}`,
    contentType: "application/apply-patch+yaml",
    body: {
      apiVersion: kindEntry(kind).apiVersion,
      kind: manifestKind(kind),
      metadata: { name, namespace, ...kept, resourceVersion },
    },
  });
}

function keptOf(live: KubernetesObject | undefined, field: "labels" | "annotations", texts: Texts): Texts {
  const managed = (live?.metadata?.managedFields ?? [])
    // Managers from which Pulumi's plugin takes over, and the one that holds what was kept before.
    .filter(({ manager = "" }) => manager.startsWith("kubectl") || manager === holder)
    .map(({ fieldsV1 }) => Object((fieldsV1 as FieldsOfMetadata | undefined)?.["f:metadata"]?.[`f:${field}`]));
  return Object.fromEntries(Object.entries(texts).filter(([key]) => managed.some((keys) => `f:${key}` in keys)));
}

/** @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/#ObjectMeta */
interface FieldsOfMetadata {
  readonly "f:metadata"?: { readonly "f:labels"?: object; readonly "f:annotations"?: object };
}
