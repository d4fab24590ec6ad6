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

/**
 * Transfers members to another stack by the label of their namespaces: from then on that stack's policies apply to
 * them, and its runs manage their objects. An annotation keeps the former stacks.
 * @returns the reasons by name of members who were not transferred, and stay in their stack
 * @throws RunError if the API server can't be reached
 */
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

/**
 * The API server refuses the patch if the label has changed since the cluster was read.
 * @see https://datatracker.ietf.org/doc/html/rfc6902
 */
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

/** A key as a segment of a JSON pointer. */
const pointer = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");
