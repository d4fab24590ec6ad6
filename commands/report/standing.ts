import { keyOf } from "../../cluster/kinds/objectName.ts";
import { contentOf } from "../../cluster/read/snapshot.ts";
import { manifestKind } from "../../config/names/customKinds.ts";
import { isMap } from "../../config/values/maps.ts";
import type { Inputs } from "../../objects/field.ts";
import type { Plan } from "../../plan/members/plan.ts";

/** An object of the plan that is on the cluster, whether Pulumi's state has it or not. */
interface Standing {
  readonly isFine: boolean;
  /** The declared fields as they are now. */
  readonly inputs: Inputs;
}

export type StandingObjects = ReadonlyMap<string, Standing>;

/** The stack's own objects that a run finds on the cluster, of these members and of the stack. */
export function standingIn({ classified, members }: Pick<Plan, "classified" | "members">): StandingObjects {
  const all = [...classified, ...members.flatMap((plan) => plan.classified)];
  return new Map(
    all.flatMap(({ object, live, standing, verdict }) => {
      if (live === undefined || standing !== "ours") {
        return [];
      }
      const { apiVersion, kind, name, namespace, args } = object;
      const { labels, annotations } = live;
      const metadata = { name, namespace, labels, annotations };
      const inputs = within({ ...contentOf(live), metadata }, args) as Inputs;
      const found = { isFine: verdict === "fine", inputs: { apiVersion, kind: manifestKind(kind), ...inputs } };
      return [[keyOf(object), found] as const];
    }),
  );
}

/** The part of a value that has the fields of another. */
function within(value: unknown, fields: unknown): unknown {
  return isMap(value) && isMap(fields)
    ? Object.fromEntries(
        Object.keys(fields).flatMap((key) => (key in value ? [[key, within(value[key], fields[key])]] : [])),
      )
    : value;
}
