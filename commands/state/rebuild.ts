import { resolve } from "node:path";
import type { Deployment, PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { readCluster } from "../../cluster/read/read.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot/snapshot.ts";
import { clusterProvider } from "../../components/provider/provider.ts";
import { storageProvider } from "../../components/storage.ts";
import { RunError } from "../../config/model/runError.ts";
import type { Configuration } from "../../config/model/settings/settings.ts";
import { stackLabel } from "../../naming/labels.ts";
import { clusterProviderType, storageProviderType } from "../../naming/urns.ts";
import { atMoment } from "../../plan/decisions/sleep.ts";
import { pendingIn, statusesOf } from "../../plan/findings/status.ts";
import { anotherCluster } from "../../plan/membership/ownership.ts";
import { membersElsewhere } from "../../plan/membership/shards.ts";
import { refusalTexts } from "../../plan/messages/catalogue.ts";
import { type Plan, planStack } from "../../plan/plan.ts";
import { failureText, pulumiUp } from "../../runs/pulumiUp.ts";
import { type SelectedStack, type StackOptions, selectedStack } from "../../runs/selectedStack.ts";
import { resourcesIn, rootOf, type StackRoot, type StateResource, withResources } from "../../runs/state/deployment.ts";
import { exported, replaceState } from "../../runs/state/stackState.ts";
import { isConfirmed } from "../common/confirm.ts";
import { Problem } from "../common/problem.ts";
import { refuseUnknownStack } from "../common/unknownStack.ts";
import { openedStack } from "../up/looking.ts";
import { orphanedResources } from "./orphanedResources.ts";
import { orphansOnServer } from "./orphansOnServer.ts";
import { type OwnObjects, ownObjects } from "./ownObjects.ts";
import { readObjects } from "./readObjects.ts";
import { rebuildText } from "./rebuildText.ts";
import { resourcesOf } from "./resources.ts";

interface RebuildOptions {
  readonly stack: string;
  /** The project's folder, with `Pulumi.yaml`. */
  readonly folder: string;
  /** Whether to go on without a question. */
  readonly yes: boolean;
}

const notify = (message: string) => console.error(message);
/** A large cluster takes long to read. */
const waiting = { notify, patience: 300_000 };

/**
 * Fills a stack's empty state with its objects on the cluster. It only reads the cluster: the next `pulumi up` makes
 * changes, and removes leaving members as usual.
 * @throws Problem or RunError when it must not or can't go on; the state is then unchanged, or has only the root with
 * which a further rebuild starts
 */
export async function rebuild({ stack: name, folder: path, yes }: RebuildOptions): Promise<void> {
  const folder = resolve(path);
  notify(`Asking Pulumi about stack '${name}'…`);
  const { stack, configuration } = await openedStack(folder, name);
  refuseKnown(await exported(stack), name);
  notify("Reading the cluster…");
  const { snapshot, own } = await readOwn(configuration);
  const { settings } = configuration;
  const list = atMoment(configuration.members, snapshot, new Date());
  const stackPlan = planStack(list, settings, snapshot);
  const leaving = stackPlan.removedMembers;
  const names = [
    ...own.named.flatMap(({ member }) => member ?? []),
    ...leaving.map((removed) => removed.name),
    ...stackPlan.members.map(({ member }) => member.name),
  ];
  const elsewhere = membersElsewhere(list, settings, snapshot);
  const server = await orphansOnServer(configuration, { clusterId: snapshot.id, names, elsewhere });
  console.log(rebuildText(own, stackPlan, server, findApiTarget(settings.cluster.context).server));
  const unanswered = { what: "The state is not rebuilt", remedy: "Add --yes to rebuild it without a question." };
  if (!yes && !(await isConfirmed(`Write this into the state of stack '${name}'?`, "text", unanswered))) {
    notify("Nothing is changed.");
    process.exitCode = 1;
    return;
  }
  notify("Writing the state…");
  const hasOrphans = server.buckets.length + server.users.length > 0;
  await makeRoot({ folder, stack: name }, async () => rootProgram(stackPlan, hasOrphans));
  const isProtected = (member: string) => leaving.some((removed) => removed.name === member && removed.protect);
  await fill(stack, name, (root) => {
    const objects = resourcesOf(own.named, root);
    return [...objects, ...orphanedResources(server, objects, root, isProtected)];
  });
  notify(`The state of stack '${name}' is rebuilt. See what the next run would do: pulumi preview --stack ${name}`);
}

const providers = [`**::${clusterProviderType}::cluster`, `**::${storageProviderType}::storage`];

/**
 * Has Pulumi make the stack and its providers, by a run that registers nothing else. The providers are its targets: if
 * the state has other resources by now, none of them is touched.
 * @param program registers the providers, and returns the stack's outputs
 * @throws RunError with the reason when it can't be done
 */
async function makeRoot(options: StackOptions, program: PulumiFn): Promise<void> {
  const { stack } = await selectedStack(options, program);
  const result = await pulumiUp(stack, { target: [...providers] }, new AbortController().signal);
  if (result.outcome !== "succeeded") {
    throw new RunError(`The state of stack '${stack.name}' can't be rebuilt: ${failureText(result, stack.name)}`);
  }
}

/** @throws Problem when a state is not lost */
function refuseKnown(state: Deployment, stack: string): void {
  const known = resourcesIn(state);
  if (known.length > 0) {
    throw new Problem(`The state of stack '${stack}' is not lost.`, {
      why: `It has ${known.length} resources, such as ${known.at(-1)?.urn}.`,
      remedy:
        `To update it from the cluster: pulumi refresh --stack ${stack}\n` +
        "If it is too damaged for that, save it, empty it, and run this again:\n" +
        `pulumi stack export --stack ${stack} --file before.json\n` +
        `pulumi stack rm ${stack} --force --preserve-config && pulumi stack init ${stack} [--secrets-provider=URL]`,
    });
  }
}

async function readOwn({ settings, members }: Configuration): Promise<{ snapshot: ClusterSnapshot; own: OwnObjects }> {
  const snapshot = await readCluster(members, settings, waiting);
  const elsewhere = anotherCluster(settings, snapshot);
  if (elsewhere !== undefined) {
    throw new RunError(`The state of stack '${settings.stack}' can't be rebuilt: ${refusalTexts([elsewhere])}`);
  }
  const own = ownObjects(await readObjects(settings, waiting), settings);
  if (own.named.length === 0) {
    const labels = [...snapshot.namespaces.values()].flatMap(({ labels }) => labels[stackLabel] ?? []);
    refuseUnknownStack(settings.stack, [...new Set(labels)]);
    throw new Problem(`There is nothing of stack '${settings.stack}' on this cluster.`, {
      why: `No object has the label ${stackLabel}: ${settings.stack}, so that there is nothing to rebuild the state from.`,
      remedy: "Choose another context if it is another cluster; otherwise the next 'pulumi up' creates everything.",
    });
  }
  return { snapshot, own };
}

/**
 * Registers the root resources, and returns the same outputs as index.ts.
 * @param hasOrphans whether resources on the server of buckets get into the state
 */
function rootProgram(plan: Plan, hasOrphans: boolean) {
  const { settings, snapshot } = plan;
  clusterProvider(settings);
  if (hasOrphans) {
    storageProvider(settings, snapshot);
  }
  const statuses = statusesOf(plan);
  return { members: statuses, pending: pendingIn(statuses) };
}

/** Adds resources to a state that has only their root. */
async function fill(
  stack: SelectedStack["stack"],
  name: string,
  resourcesAt: (root: StackRoot) => readonly StateResource[],
): Promise<void> {
  const state = await exported(stack);
  refuseKnown(state, name);
  const root = rootOf(state);
  if (root === undefined) {
    throw new RunError(
      `The state of stack '${name}' can't be rebuilt: Pulumi has written no provider into it; run it again`,
    );
  }
  await replaceState(stack, withResources(state, resourcesAt(root)));
}
