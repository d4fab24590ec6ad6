import type { ClusterSnapshot } from "../../../cluster/read/snapshot/snapshot.ts";
import type { Member } from "../../../config/model/members/member.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import type { StarterMode } from "../../../config/model/settings/starter.ts";
import { namespaceName } from "../../../naming/names.ts";
import { ignoredStarterFields, type StarterKind, starterKinds, starterObject } from "../../decisions/starter/names.ts";
import type { StarterPlan } from "../../decisions/starter/plan.ts";
import type { Declared } from "../declared.ts";
import { starterDeployment } from "./starterDeployment.ts";
import { starterPages } from "./starterPages.ts";

/** An object of a member's starter app, besides the Service. */
interface StarterObject {
  readonly kind: StarterKind;
  readonly build: () => Declared;
  /** Fields that a run leaves unchanged; empty for an object that it makes. */
  readonly ignored: readonly string[];
  /** Whether it stays when it is no longer declared. */
  readonly stays: boolean;
}

type ManagedObjects = ClusterSnapshot["managedObjects"];
type Builder = (member: Member, mode: StarterMode, settings: Settings, managedObjects: ManagedObjects) => Declared;

const builders: Readonly<Record<StarterKind, Builder>> = { ConfigMap: starterPages, Deployment: starterDeployment };

/** Objects of a member's starter app that a run registers, each after those that it needs. */
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
        ? { kind, build, ignored: [], stays: plan.mode === "once" }
        : {
            kind,
            build: left.live ? () => nothingOf(kind, member) : build,
            ignored: ignoredStarterFields[kind],
            stays: true,
          },
    ];
  });
}

/**
 * Declares nothing of an object: if Pulumi's state has lost it, the run imports it without a change. To declare the member's
 * version could fail, and fail the run for everybody else: some live objects are invalid for server-side apply, such as
 * one with two variables of the same name.
 */
function nothingOf(kind: StarterKind, member: Member): Declared {
  const metadata = { name: starterObject(member, kind).name, namespace: namespaceName(member), labels: {} };
  return { metadata, ...(kind === "Deployment" ? { spec: {} } : {}) };
}
