import { firstOf } from "../../../cluster/kinds/nameList.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { isOurs } from "../../../plan/compare/foreign.ts";
import { Problem } from "../../common/problem.ts";
import type { Entry } from "../edit/listEdits.ts";
import type { Person } from "./rosterPlan.ts";

/** A namespace on the cluster, by its labels. */
export type LiveNamespaces = ReadonlyMap<string, { readonly labels: Readonly<Record<string, string>> }>;

/** A new member with the name of a namespace that is not the stack's, and that a run would take over. */
export interface Takeover {
  /** The stack whose run would do so. */
  readonly stack: string;
  readonly member: string;
  /** Whether the entry itself says so, rather than the whole stack's `offboarding.adopt`. */
  readonly isAsked: boolean;
}

/** Whether a run would take over a namespace for an entry. @param adopts the stack's `offboarding.adopt` */
const isAdopting = ({ adopt }: Entry, adopts: boolean): boolean => (adopt ?? adopts) === true;

/** Whether new members' names have to be looked up on the cluster before they are written. */
export const mayTakeOver = (added: readonly Entry[], adopts: boolean): boolean =>
  added.some((entry) => isAdopting(entry, adopts));

/** Namespaces that new members would take over, in the order of the entries. */
export const takeovers = (
  added: readonly Entry[],
  adopts: boolean,
  live: LiveNamespaces,
  settings: Pick<Settings, "stack" | "shards">,
): Takeover[] =>
  added
    .filter((entry) => isAdopting(entry, adopts))
    .flatMap((entry) => {
      const member = String(entry.member);
      const namespace = live.get(member);
      return namespace === undefined || isOurs(namespace, settings)
        ? []
        : [{ stack: settings.stack, member, isAsked: entry.adopt === true }];
    });

/**
 * A name in a roster is nobody's word for it that the namespace of that name is theirs.
 * @throws Problem when only the stack's setting would have namespaces taken over
 */
export function refuseTakeovers(found: readonly Takeover[], people: readonly Person[]): void {
  const unasked = found.filter(({ isAsked }) => !isAsked);
  const names = new Set(unasked.map(({ member }) => member));
  if (names.size === 0) {
    return;
  }
  const lines = people
    .filter(({ after }) => names.has(String(after.member)))
    .map(({ line, after }) => `'${String(after.member)}' (line ${line})`);
  const stacks = [...new Set(unasked.map(({ stack }) => `'${stack}'`))].join(", ");
  const isOne = names.size === 1;
  throw new Problem(
    `Nothing was written: ${isOne ? "a new member" : `${names.size} new members`} would take over ${isOne ? "a namespace" : "namespaces"}.`,
    {
      why: `The cluster has ${firstOf(lines, mostNames)}, which stack ${stacks} did not make, and offboarding.adopt is true.`,
      remedy: isOne
        ? "If the namespace is theirs, add --adopt. If not, add them under another name with 'members add', then import again."
        : "If the namespaces are theirs, add --adopt. If not, add them under other names with 'members add', then import again.",
    },
  );
}

const mostNames = 20;
