import { kinds } from "../../cluster/kinds/kinds.ts";
import { logicalName } from "../../cluster/kinds/liveObject.ts";
import { isWrittenByMembers } from "../../cluster/kinds/stackKinds.ts";
import { type ClusterSnapshot, keyOf } from "../../cluster/read/snapshot.ts";
import { memberLabel, stackLabel } from "../../naming/labels.ts";
import { namespaceName } from "../../naming/names.ts";
import { unplanned } from "../compare/classify.ts";
import { memberPart } from "../manifest/liveParts.ts";
import { isRead } from "../manifest/manifest.ts";
import type { Plan } from "../plan.ts";

/**
 * Logical names of what a run of the stack has made that was killed before it noted it, and that nobody is to have any more: no
 * run would take it over, and none would delete it. What members can make at home is theirs, whatever its labels say.
 * @param known logical names of what Pulumi's state has
 */
export function unrecorded(
  {
    list,
    members,
    settings,
    snapshot,
  }: Pick<Plan, "list" | "members" | "settings"> & {
    readonly snapshot: Pick<ClusterSnapshot, "managedObjects" | "services" | "namespaces">;
  },
  known: ReadonlySet<string>,
): string[] {
  const planned = new Set(members.flatMap(({ objects }) => objects.filter(isRead).map(keyOf)));
  const own = new Set(members.map(({ member }) => member.name));
  const elsewhere = new Set(list.flatMap(({ name }) => (own.has(name) ? [] : [name])));
  return unplanned(planned, snapshot).flatMap(({ object, live }) => {
    const { kind, name, namespace } = object;
    const { labels, annotations, terminating } = live;
    const { [stackLabel]: stack, [memberLabel]: member } = labels;
    const isEnding = terminating === true || snapshot.namespaces.get(namespace ?? "")?.terminating === true;
    if (stack !== settings.stack || member === undefined || elsewhere.has(member) || isEnding) {
      return [];
    }
    const isTheirs = namespace === namespaceName({ name: member }) && isWrittenByMembers(object);
    const metadata = { name, labels, annotations, ...(namespace === undefined ? {} : { namespace }) };
    const content = "type" in live ? { spec: { type: live.type } } : live.content;
    const part = memberPart(
      { ...content, apiVersion: kinds[kind].apiVersion, kind, metadata },
      { name: member },
      settings,
    );
    const called = part === undefined || isTheirs ? undefined : logicalName({ member, part });
    return called === undefined || known.has(called) ? [] : [called];
  });
}
