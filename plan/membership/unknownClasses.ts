import type { ClassKind, ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { MemberType } from "../../config/member/types.ts";
import type { Finding } from "../messages/finding.ts";
import type { Planned } from "../plan.ts";

/** Names that a type or a member has, by the kind of the classes. */
const named: Readonly<Record<ClassKind, (type: MemberType) => readonly string[]>> = {
  RuntimeClass: ({ runtimeClasses }) => runtimeClasses?.allowed ?? [],
  StorageClass: ({ storage = {} }) => Object.keys(storage),
};

/** Classes that members may use and that the cluster does not have: no pod would start, and no claim be bound. */
export function unknownClasses({
  members,
  snapshot: { classes = {} },
}: Planned<Pick<ClusterSnapshot, "classes">>): Finding<"unknownClass">[] {
  return (Object.keys(named) as ClassKind[]).flatMap((kind) => {
    const known = classes[kind];
    const uses = members.flatMap(({ member }) => named[kind](member.type).map((name) => ({ name, member })));
    return [...Map.groupBy(uses, ({ name }) => name)]
      .filter(([name]) => known?.has(name) === false)
      .map(([name, all]) => ({
        code: "unknownClass",
        facts: { kind, name, members: all.map(({ member }) => member.name), known: [...(known ?? [])].sort() },
      }));
  });
}
