import { formerStacksAnnotation, stackLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import type { Waiting } from "../api/requests.ts";
import { objectPath } from "../kinds/kinds.ts";
import { keyOf } from "../kinds/objectName.ts";
import type { ClusterSnapshot } from "../read/snapshot.ts";
import { writeEach } from "./patchEach.ts";

/** A member whose objects are in another stack of the family than the one they belong to. */
export interface Transfer {
  readonly member: string;
  readonly from: string;
  readonly to: string;
}

/** The label decides whose policies apply and whose runs manage them. Returns the reasons by name of who stays. */
export async function writeStackLabels(
  transfers: readonly Transfer[],
  { cluster }: Pick<Settings, "cluster">,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
  waiting: Partial<Waiting> = {},
): Promise<ReadonlyMap<string, string>> {
  const refused = await writeEach(
    transfers,
    (transfer) => {
      const home = { kind: "Namespace", name: namespaceName({ name: transfer.member }), namespace: undefined } as const;
      return {
        what: `hand member '${transfer.member}' over from stack '${transfer.from}' to '${transfer.to}'`,
        method: "PATCH",
        path: objectPath(home),
        contentType: "application/json-patch+json",
        body: patchOf(transfer, managedObjects.get(keyOf(home))?.annotations ?? {}),
      };
    },
    () => findApiTarget(cluster.context),
    waiting,
  );
  return new Map([...refused].map(([{ member }, why]) => [member, why]));
}

/** RFC 6902. The API server refuses it if the label has changed since the cluster was read. */
export function patchOf({ from, to }: Transfer, annotations: Readonly<Record<string, string>>): readonly object[] {
  const label = `/metadata/labels/${pointer(stackLabel)}`;
  const before = annotations[formerStacksAnnotation]?.split(",") ?? [];
  const former = [...new Set([...before, from])].filter((stack) => stack !== to).join(",");
  return [
    { op: "test", path: label, value: from },
    { op: "replace", path: label, value: to },
    Object.keys(annotations).length === 0
      ? { op: "add", path: "/metadata/annotations", value: { [formerStacksAnnotation]: former } }
      : { op: "add", path: `/metadata/annotations/${pointer(formerStacksAnnotation)}`, value: former },
  ];
}

const pointer = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");
