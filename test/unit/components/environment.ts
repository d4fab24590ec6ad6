import { ClusterAccess } from "../../../components/clusterAccess.ts";
import { MemberEnvironment, type MemberEnvironmentArgs } from "../../../components/memberEnvironment.ts";
import { clusterProvider } from "../../../components/provider/provider.ts";
import { Drift } from "../../../plan/live/drift.ts";
import type { MemberFacts } from "../../../plan/rows/row.ts";

type Args = MemberFacts & Partial<MemberEnvironmentArgs> & { readonly mutates?: boolean };

/** Registers the environment of one member, with the stack's shared objects; by default with an open path. */
export function makeEnvironment({ mutates, drift = Drift.none, routed = true, ...facts }: Args): void {
  const { settings, member } = facts;
  const provider = clusterProvider(settings);
  const access = new ClusterAccess("access", { settings, mutates, drift }, { provider });
  new MemberEnvironment(member.name, { access, drift, routed, ...facts }, { provider });
}
