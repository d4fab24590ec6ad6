import type { KubernetesObject } from "@kubernetes/client-node";
import type { ApiServer } from "../../cluster/api/client.ts";
import { failuresOf } from "../../cluster/inParallel.ts";
import { allLabelled, objectPath } from "../../cluster/kinds/kinds.ts";
import { keyOf, type ObjectName, objectNameOf } from "../../cluster/kinds/objectName.ts";
import {
  verifyLabel,
  verifyOutsideAnnotation,
  verifyRunAnnotation,
  verifyUntilAnnotation,
} from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";

/** A namespace that a verification made. */
export interface Found {
  readonly name: string;
  /** The verification that made it. */
  readonly run: string;
  /** Until when it is in use, unless that is renewed. */
  readonly until: Date;
  readonly outside: readonly ObjectName[];
  readonly terminating: boolean;
}

type Lists = Pick<ApiServer, "list">;

/** What verifications of a stack have on the cluster. A namespace with their label alone is somebody else's. */
export async function stageOn(api: Lists, { stack }: Pick<Settings, "stack">): Promise<readonly Found[]> {
  const request = allLabelled("Namespace", `${verifyLabel}=${stack}`);
  const namespaces = await api.list<KubernetesObject>({ ...request, metadataOnly: true });
  return namespaces.flatMap(({ metadata: { name = "", annotations = {}, deletionTimestamp } = {} }) => {
    const until = new Date(annotations[verifyUntilAnnotation] ?? "");
    const outside = (annotations[verifyOutsideAnnotation] ?? "")
      .split("\n")
      .flatMap((key) => (key === "" ? [] : [objectNameOf(key)]));
    return Number.isNaN(until.getTime())
      ? []
      : [
          {
            name,
            run: annotations[verifyRunAnnotation] ?? "",
            until,
            outside,
            terminating: deletionTimestamp !== undefined,
          },
        ];
  });
}

/** Those of verifications that were killed: nobody renews them. */
export const isLeft = ({ until }: Pick<Found, "until">, now: Date): boolean => !(until > now);

/**
 * Deletes namespaces of verifications, first what they have elsewhere, without waiting until they are gone. One refusal does
 * not stop the others.
 * @returns the refusals
 */
export async function removeStage(
  found: readonly Omit<Found, "until" | "run">[],
  { stack }: Pick<Settings, "stack">,
  api: Pick<ApiServer, "get" | "write">,
): Promise<readonly string[]> {
  const namespaces = found
    .filter(({ terminating }) => !terminating)
    .map(({ name }): ObjectName => ({ kind: "Namespace", name, namespace: undefined }));
  const refused: string[] = [];
  for (const round of [found.flatMap(({ outside }) => outside), namespaces]) {
    const failed = await failuresOf(round, (object) => removeOne(object, stack, api));
    refused.push(...failed.values());
  }
  return refused;
}

async function removeOne(object: ObjectName, stack: string, api: Pick<ApiServer, "get" | "write">): Promise<void> {
  const path = objectPath(object);
  const live = await api.get<KubernetesObject>({ what: `the ${keyOf(object)}`, path });
  const { uid, labels = {} } = live?.metadata ?? {};
  if (uid !== undefined && labels[verifyLabel] === stack) {
    const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid } };
    await api.write({ what: `delete ${keyOf(object)}`, method: "DELETE", path, body });
  }
}
