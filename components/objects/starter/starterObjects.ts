import type { Declared } from "../../../cluster/drift.ts";
import type { LiveGuard } from "../../../cluster/snapshot.ts";
import { leftStarterFields, type StarterKind, starterKinds, starterObject } from "../../../cluster/starter/names.ts";
import type { StarterPlan } from "../../../cluster/starter/plan.ts";
import type { Member, Settings, StarterMode } from "../../../config/settings.ts";
import { namespaceName } from "../../../naming/names.ts";
import { starterDeployment } from "./starterDeployment.ts";
import { starterPages } from "./starterPages.ts";

/** An object of a member's starter app, beside the Service. */
export interface StarterObject {
  readonly kind: StarterKind;
  readonly args: Declared;
  /** Fields that a run leaves as they stand; none of what it makes. */
  readonly left: readonly string[];
  /** Whether it stays when it is not declared any more. */
  readonly stays: boolean;
}

type Builder = (member: Member, mode: StarterMode, settings: Settings) => Declared;

const builders: Readonly<Record<StarterKind, Builder>> = { ConfigMap: starterPages, Deployment: starterDeployment };

/** What a run registers of a member's starter app, each object after the one that it needs. */
export function starterObjects(member: Member, plan: StarterPlan, settings: Settings): StarterObject[] {
  return starterKinds.flatMap((kind): StarterObject[] => {
    const left = plan.left.find((each) => each.kind === kind);
    if (left === undefined && !plan.made.includes(kind)) {
      return [];
    }
    const build = () => builders[kind](member, plan.mode, settings);
    return [
      left === undefined
        ? { kind, args: build(), left: [], stays: plan.mode === "once" }
        : {
            kind,
            args: left.live ? asItStands(kind, member, left.live) : build(),
            left: leftStarterFields[kind],
            stays: true,
          },
    ];
  });
}

/**
 * An object as the member has it: should Pulumi's state have lost it, it is taken into that again, and nothing of it is
 * changed.
 */
function asItStands(kind: StarterKind, member: Member, { labels, annotations, content }: LiveGuard): Declared {
  const { name } = starterObject(member, kind);
  const own = leftStarterFields[kind].flatMap((field) =>
    content[field] === undefined ? [] : [[field, content[field]]],
  );
  return { metadata: { name, namespace: namespaceName(member), labels, annotations }, ...Object.fromEntries(own) };
}
