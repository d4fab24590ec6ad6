import type { KubernetesObject } from "@kubernetes/client-node";
import { allOf, type Kind } from "../../../cluster/kinds/kinds.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { bucketLabel } from "../../../naming/labels.ts";
import type { Lists } from "../unread/refusals.ts";
import { bucketKinds, bucketObjectNames } from "./names.ts";

/**
 * What stands in members' namespaces for their buckets, and what did for buckets that they have no more: metadata alone, so
 * that no key of anybody's is ever asked for. Nothing is asked where nobody has a bucket.
 */
export function bucketLists(
  members: readonly Pick<Member, "name" | "buckets">[],
  settings: Pick<Settings, "storage">,
  server: Lists,
) {
  const namesIn = new Map(
    members.flatMap((member) => {
      const names = bucketObjectNames(member, settings);
      return names.length === 0 ? [] : [[member.name, new Set(names.map(({ name }) => name))] as const];
    }),
  );
  const kinds: readonly Kind[] = namesIn.size === 0 ? [] : bucketKinds(settings);
  const isOne = ({ metadata: { name = "", namespace = "", labels = {} } = {} }: KubernetesObject) =>
    namesIn.has(namespace) && (namesIn.get(namespace)?.has(name) === true || bucketLabel in labels);
  const list = async (kind: Kind) =>
    kinds.includes(kind)
      ? (await server.list<KubernetesObject>({ ...allOf(kind), metadataOnly: true })).filter(isOne)
      : [];
  return { ConfigMap: list("ConfigMap"), Secret: list("Secret") };
}
