import type { KubernetesObject } from "@kubernetes/client-node";
import { type ApiServer, withApiServer } from "../../cluster/api/client.ts";
import { forEachOf } from "../../cluster/api/forEachOf.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { allNamed, objectPath } from "../../cluster/kinds/kinds.ts";
import { refuseAnotherCluster } from "../../cluster/read/server/ownCluster.ts";
import { hasAccess, type Member } from "../../config/member/member.ts";
import { awakeUntilAnnotation, memberLabel, stackLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import { momentText } from "../../config/schedule.ts";
import { isMeant } from "../../config/shards.ts";
import { Problem } from "../common/problem.ts";
import { readStack, type StackFile } from "../common/stackFile.ts";
import { onlyStack } from "./edit/listFile.ts";
import { memberNamed } from "./kubeconfig.ts";

interface WakeOptions {
  /** Undefined for the folder's only stack. */
  readonly stack?: string;
  /** Context of the admin's kubeconfig; default: the stack's. */
  readonly context?: string;
  /** Such as `2h`, `45m` or `1h30m`. */
  readonly for: string;
  readonly output: "text" | "json";
}

const longest = 24 * 60;
const nothing = "Nothing was changed.";

/**
 * Keeps members awake for some time, whatever their schedule: by an annotation of their namespaces, which a run or the watch
 * reads. Nobody but the platform may write it.
 * @throws Problem when the time is none, or a member has no schedule or no access; nothing is changed then
 * @throws RunError when the API server refuses it
 */
export async function wakeMembers(names: readonly string[], options: WakeOptions): Promise<void> {
  const minutes = minutesIn(options.for);
  const folder = process.cwd();
  const stack = options.stack ?? onlyStack(folder);
  const file = readStack(stack, folder);
  const { configuration } = file;
  const members = [...new Set(names)].map((name) => sleeperNamed(name, file));
  const isTheirs = isMeant(folder, stack);
  const until = new Date(Date.now() + minutes * 60_000);
  const target = findApiTarget(options.context ?? configuration.settings.cluster.context);
  await withApiServer(
    target,
    { notify: (message) => console.error(message) },
    async (api) => {
      await refuseAnotherCluster(api, configuration.settings);
      await forEachOf(members, (member) => assertHome(api, member, isTheirs, stack));
      await forEachOf(members, (member) => keepAwake(api, member, until));
    },
    "overview",
  );
  console.log(options.output === "json" ? jsonOf(members, until) : textOf(members, until));
}

/** Minutes of a time such as `1h30m`. @throws Problem when it is none, or too long */
export function minutesIn(text: string): number {
  const [, hours, minutes] = /^(?:(\d{1,4})h)?(?:(\d{1,4})m)?$/.exec(text) ?? [];
  const sum = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  if (!(sum > 0 && sum <= longest)) {
    throw new Problem(`'--for ${text}' is no valid time.`, {
      why: sum > longest ? "It is longer than a day." : "It must be hours and minutes, such as 2h, 45m or 1h30m.",
      remedy: `Choose at most 24h; for longer, change the member's schedule in the list. ${nothing}`,
    });
  }
  return sum;
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

/** @throws Problem when the namespace is not there, or another stack's */
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

async function keepAwake(api: ApiServer, member: Member, until: Date): Promise<void> {
  await api.write({
    what: `keep member '${member.name}' awake`,
    method: "PATCH",
    path: objectPath({ kind: "Namespace", name: namespaceName(member), namespace: undefined }),
    body: { metadata: { annotations: { [awakeUntilAnnotation]: until.toISOString() } } },
  });
}

const jsonOf = (members: readonly Member[], until: Date) =>
  JSON.stringify(
    members.map(({ name }) => ({ member: name, awakeUntil: until.toISOString() })),
    null,
    2,
  );

const textOf = (members: readonly Member[], until: Date) =>
  [
    ...members.map(({ name, schedule }) => `${name}: awake until ${momentText(until, schedule?.timeZone ?? "UTC")}`),
    "With kubecamp watch, this takes effect at once; otherwise with the next 'pulumi up'.",
  ].join("\n");
