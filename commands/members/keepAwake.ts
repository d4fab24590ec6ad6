import type { KubernetesObject } from "@kubernetes/client-node";
import { type ApiServer, withApiServer } from "../../cluster/api/client.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { hands, inParallel } from "../../cluster/inParallel.ts";
import { allNamed, objectPath } from "../../cluster/kinds/kinds.ts";
import { refuseAnotherCluster } from "../../cluster/write/ownCluster.ts";
import { hasAccess, type Member } from "../../config/member/member.ts";
import { awakeUntilAnnotation, memberLabel, stackLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import { isMeant } from "../../config/sources/shardSource.ts";
import { Problem } from "../common/problem.ts";
import { memberNamed, readStack, type StackFile } from "../common/stackFile.ts";
import { onlyStack } from "./edit/listFile.ts";

const nothing = "Nothing was changed.";

/** Keeps members awake by an annotation of their namespaces, which a run or the watch reads. */
export async function keepAwake(
  names: readonly string[],
  place: { readonly stack?: string; readonly context?: string },
  until: Date,
): Promise<readonly Member[]> {
  const folder = process.cwd();
  const stack = place.stack ?? onlyStack(folder);
  const file = readStack(stack, folder);
  const { settings } = file.configuration;
  const members = [...new Set(names)].map((name) => sleeperNamed(name, file));
  const isTheirs = isMeant(folder, stack);
  const work = async (api: ApiServer) => {
    await refuseAnotherCluster(api, settings);
    await inParallel(members, hands, (member) => assertHome(api, member, isTheirs, stack));
    await inParallel(members, hands, (member) =>
      api.write({
        what: `keep member '${member.name}' awake`,
        method: "PATCH",
        path: objectPath({ kind: "Namespace", name: namespaceName(member), namespace: undefined }),
        body: { metadata: { annotations: { [awakeUntilAnnotation]: until.toISOString() } } },
      }),
    );
  };
  const notify = (message: string) => console.error(message);
  await withApiServer(findApiTarget(place.context ?? settings.cluster.context), { notify }, work, "overview");
  return members;
}

function sleeperNamed(name: string, file: StackFile): Member {
  const member = memberNamed(name, file);
  if (!hasAccess(member)) {
    throw new Problem(`Member '${name}' is ${member.standing}, and can't be woken.`, {
      why: `Whoever is ${member.standing} has no pods, whatever their schedule.`,
      remedy: `Resume them first: kubecamp members ${member.standing === "expired" ? `set ${name} --set expires=+30d` : `resume ${name}`} --stack ${file.stack}\n${nothing}`,
    });
  }
  if (member.schedule === undefined) {
    throw new Problem(`Member '${name}' never sleeps.`, {
      why: "Neither their entry nor their type nor the stack has a schedule, or the first of these that has one sets it to off.",
      remedy: `Leave them out. ${nothing}`,
    });
  }
  return member;
}

async function assertHome(
  api: ApiServer,
  member: Member,
  isTheirs: (stack: string | undefined) => boolean,
  stack: string,
): Promise<void> {
  const name = namespaceName(member);
  const [home] = await api.list<KubernetesObject>({ ...allNamed("Namespace", name), metadataOnly: true });
  const labels = home?.metadata?.labels ?? {};
  if (labels[memberLabel] !== member.name || !isTheirs(labels[stackLabel])) {
    throw new Problem(`Member '${member.name}' of stack '${stack}' has no namespace on this cluster.`, {
      why: home === undefined ? `There is no namespace '${name}'.` : `Namespace '${name}' is not the stack's.`,
      remedy: `Run 'pulumi up' first, or choose another context with --context. ${nothing}`,
    });
  }
}
