import type { ClusterSnapshot } from "../../../cluster/read/snapshot.ts";
import type { Member, Settings, StarterMode } from "../../../config/model/settings.ts";
import { namespaceName } from "../../../naming/names.ts";
import { leftStarterFields, type StarterKind, starterKinds, starterObject } from "../../decisions/starter/names.ts";
import type { StarterPlan } from "../../decisions/starter/plan.ts";
import type { Declared } from "../declared.ts";
import { starterDeployment } from "./starterDeployment.ts";
import { starterPages } from "./starterPages.ts";

/** An object of a member's starter app, beside the Service. */
export interface StarterObject {
  readonly kind: StarterKind;
  readonly build: () => Declared;
  /** Fields that a run leaves as they stand; none of what it makes. */
  readonly left: readonly string[];
  /** Whether it stays when it is not declared any more. */
  readonly stays: boolean;
}

type ManagedObjects = ClusterSnapshot["managedObjects"];
type Builder = (member: Member, mode: StarterMode, settings: Settings, managedObjects: ManagedObjects) => Declared;

const builders: Readonly<Record<StarterKind, Builder>> = { ConfigMap: starterPages, Deployment: starterDeployment };

/** What a run registers of a member's starter app, each object after the one that it needs. */
export function starterObjects(
  member: Member,
  plan: StarterPlan,
  settings: Settings,
  managedObjects: ManagedObjects,
): StarterObject[] {
  return starterKinds.flatMap((kind): StarterObject[] => {
    const left = plan.left.find((each) => each.kind === kind);
    if (left === undefined && !plan.made.includes(kind)) {
      return [];
    }
    const build = () => builders[kind](member, plan.mode, settings, managedObjects);
    return [
      left === undefined
        ? { kind, build, left: [], stays: plan.mode === "once" }
        : {
            kind,
            build: left.live ? () => nothingOf(kind, member) : build,
            left: leftStarterFields[kind],
            stays: true,
          },
    ];
  });
}

/**
 * An object of which nothing is said: should Pulumi's state have lost it, it is taken into that again, and nothing of it is
 * changed. To declare it as the member has it could fail, and with it the run for everybody else: the API server has objects
 * that it would not take from server-side apply, such as one with two variables of a name.
 */
function nothingOf(kind: StarterKind, member: Member): Declared {
  const metadata = { name: starterObject(member, kind).name, namespace: namespaceName(member), labels: {} };
  return { metadata, ...(kind === "Deployment" ? { spec: {} } : {}) };
}
