import { stringify } from "yaml";
import { findApiTarget, type Surroundings } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import type { Member } from "../../config/member/member.ts";
import { hasSecret } from "../../config/sources/sources.ts";
import { nearest } from "../../config/values/nearest.ts";
import { firstFew } from "../../config/values/sentences.ts";
import { Problem } from "../common/problem.ts";
import { issuingOf, readStack, type StackFile } from "../common/stackFile.ts";
import { type AddressOptions, clusterAddress, isOwnMachine } from "./clusterAddress.ts";
import { memberKubeconfig } from "./memberKubeconfig.ts";

export interface KubeconfigOptions extends AddressOptions {
  readonly stack: string;
  /** Context of the admin's kubeconfig; default: the stack's. */
  readonly context?: string;
  readonly output: "yaml" | "json";
}

/** Prints a kubeconfig for a member, and notes for them on stderr. @see kubeconfigFor */
export function printKubeconfig(name: string, options: KubeconfigOptions): void {
  const { kubeconfig, notes } = kubeconfigFor(name, options, process.cwd());
  for (const note of notes) {
    console.error(`Note: ${note}`);
  }
  console.log(
    options.output === "json" ? JSON.stringify(kubeconfig, null, 2) : stringify(kubeconfig, { lineWidth: 0 }).trimEnd(),
  );
}

/**
 * A member's kubeconfig, with notes on reasons why it may not work.
 * @param folder the project's
 * @throws Problem when there is no such member, or the stack does not say how they sign in
 * @throws RunError when the admin's kubeconfig does not name the cluster
 */
export function kubeconfigFor(
  name: string,
  { stack, context, ...address }: KubeconfigOptions,
  folder: string,
  surroundings?: Surroundings,
) {
  const file = readStack(stack, folder);
  const oidc = issuingOf(file);
  const member = memberNamed(name, file);
  const chosen = context ?? file.configuration.settings.cluster.context;
  const setting = context === undefined ? "cluster.context" : "--context";
  const cluster = clusterAddress(address, () => findApiTarget(chosen, surroundings, setting));
  return { kubeconfig: memberKubeconfig(name, stack, oidc, cluster), notes: notesOn(member, cluster.server) };
}

const mostNames = 10;

/** @throws Problem when there is no such member, with the nearest name */
export function memberNamed(name: string, { stack, configuration, source }: StackFile): Member {
  const { members } = configuration;
  const member = members.find((each) => each.name === name);
  if (member !== undefined) {
    return member;
  }
  const names = members.map((each) => each.name);
  const unseen = hasSecret(source.raw.members) || hasSecret(source.raw.memberTypes);
  throw new Problem(`There is no member '${name}' in stack '${stack}'${nearest(name, names) || "."}`, {
    why: unseen
      ? "The part of the list that can be read without Pulumi has no such member: the rest is encrypted, or comes from an environment."
      : `The list has ${firstFew(names, mostNames) || "nobody"}.`,
    remedy: unseen
      ? "Name another, or have the members in plain text."
      : "Name another, or add them to the list; 'members check' lists its mistakes.",
  });
}

/** Reasons why a member's kubeconfig may not work. */
export function notesOn({ name, standing, expires }: Member, server: string): string[] {
  const closed = "the kubeconfig gives no access until that changes and 'pulumi up' has run.";
  return [
    ...(standing === "suspended" ? [`${name} is suspended; ${closed}`] : []),
    ...(standing === "expired" ? [`${name}'s last day was ${expires}; ${closed}`] : []),
    ...(isOwnMachine(server) ? [`${server} is the machine of whoever uses it: name another with --server.`] : []),
  ];
}
