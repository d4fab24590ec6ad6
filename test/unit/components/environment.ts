import { ClusterAccess } from "../../../components/clusterAccess.ts";
import { MemberEnvironment, type MemberEnvironmentArgs } from "../../../components/memberEnvironment.ts";
import { clusterProvider } from "../../../components/provider/provider.ts";
import { Drift } from "../../../plan/live/drift.ts";
import { memberObjects, sharedObjects } from "../../../plan/rows/manifest.ts";
import type { MemberFacts } from "../../../plan/rows/row.ts";

type Args = MemberFacts & Partial<Omit<MemberEnvironmentArgs, "plan">> & Partial<Options>;

interface Options {
  readonly mutates: boolean;
  readonly isOpen: boolean;
}

/** Registers the environment of one member, with the stack's shared objects; by default with an open path. */
export function makeEnvironment({ mutates, drift = Drift.none, isOpen = true, ...args }: Args): void {
  const { access: _, check, pathHook, gone, storage, ...facts } = args;
  const { settings, member } = facts;
  const provider = clusterProvider(settings);
  const access = new ClusterAccess(
    "access",
    { plan: { settings, shared: sharedObjects(settings, { mutates }) }, drift },
    { provider },
  );
  const plan = { member, settings, isOpen, ...memberObjects(facts) };
  new MemberEnvironment(member.name, { plan, access, drift, check, pathHook, gone, storage }, { provider });
}
