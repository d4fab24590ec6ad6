import type { KubernetesObject } from "@kubernetes/client-node";
import { type ArchiveMark, isCurrent, type KeptHome } from "../../config/member/leavers.ts";
import {
  archiveAnnotation,
  entryAnnotation,
  leavesLabel,
  memberLabel,
  objectsAnnotation,
  protectedLabel,
  stackLabel,
} from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { isOfFamily } from "../../config/shards.ts";
import { isMap, jsonIn } from "../../config/values/maps.ts";
import { type ApiServer, withApiServer } from "../api/client.ts";
import { ForbiddenError, type Purpose } from "../api/errors.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import type { Waiting } from "../api/requests.ts";
import { inParallel } from "../inParallel.ts";
import { allOf, oursOf } from "../kinds/kinds.ts";
import { type ServedKind, servedKinds } from "./servedKinds.ts";
import { readHomeState } from "./theirObjects.ts";

const hands = 5;

/** Two LISTs, and more for who is archived. @throws RunError: only an answer can show that nobody is in their grace */
export async function readKeptHomes(
  settings: Settings,
  waiting: Partial<Waiting> = {},
  purpose: Purpose = "run",
): Promise<KeptHome[]> {
  const target = findApiTarget(settings.cluster.context);
  const read = async (api: ApiServer): Promise<KeptHome[]> => {
    const [namespaces, roles] = await Promise.all([
      // Namespaces without labels count too: somebody may have removed the labels.
      api.list<KubernetesObject>({ ...allOf("Namespace"), metadataOnly: true }),
      api.list<KubernetesObject>({ ...oursOf("Role"), metadataOnly: true }),
    ]);
    let kinds: Promise<readonly ServedKind[]> | undefined;
    // Few are archived and not removed yet, but at the end of a term.
    const withChange = async (home: KeptHome): Promise<KeptHome> => {
      const { archive } = settings.offboarding;
      const { member, leaves, given = [], archive: mark } = home;
      if (archive === undefined || mark === undefined || !isCurrent(mark, leaves, archive)) {
        return home;
      }
      try {
        kinds ??= servedKinds(api);
        const looking = { secrets: archive.secrets, kinds: await kinds, given };
        const state = await readHomeState(api, namespaceName({ name: member }), looking);
        return state === mark.state ? home : { ...home, isChanged: true };
      } catch (error) {
        // An identity that may not list every kind, such as a preview's, goes by the mark.
        if (error instanceof ForbiddenError) {
          return home;
        }
        throw error;
      }
    };
    return [...(await inParallel(keptHomesOf(namespaces, roles, settings), hands, withChange))];
  };
  return await withApiServer(target, waiting, read, purpose);
}

export function keptHomesOf(
  namespaces: readonly KubernetesObject[],
  roles: readonly KubernetesObject[],
  { stack, shards }: Pick<Settings, "stack" | "shards">,
): KeptHome[] {
  const isTheirs = ({ metadata }: KubernetesObject) => {
    const label = metadata?.labels?.[stackLabel];
    return label === stack || (label !== undefined && shards !== undefined && isOfFamily(label, shards));
  };
  const entries = new Map(
    roles
      .filter((role) => isTheirs(role) && role.metadata?.namespace === role.metadata?.labels?.[memberLabel])
      // With another type, a member has two roles for a while; the newer one has the last entry.
      .toSorted((a, b) => madeAt(a) - madeAt(b))
      .flatMap(({ metadata }) => {
        const entry = metadata?.annotations?.[entryAnnotation];
        return entry === undefined ? [] : [[metadata?.namespace ?? "", entry] as const];
      }),
  );
  return namespaces.flatMap((namespace): KeptHome[] => {
    const { name: member = "", labels = {}, deletionTimestamp } = namespace.metadata ?? {};
    const isMembers = labels[stackLabel] === undefined ? entries.has(member) : labels[memberLabel] === member;
    if (deletionTimestamp !== undefined || !isMembers || !(isTheirs(namespace) || labels[stackLabel] === undefined)) {
      return [];
    }
    const [leaves, entry] = [labels[leavesLabel], entries.get(member)];
    const { [archiveAnnotation]: marked, [objectsAnnotation]: given } = namespace.metadata?.annotations ?? {};
    const archive = markIn(marked);
    return [
      {
        member,
        protect: labels[protectedLabel] === "true",
        ...(leaves === undefined ? {} : { leaves }),
        ...(archive === undefined ? {} : { archive }),
        ...(given === undefined ? {} : { given: given.split(",") }),
        ...(entry === undefined ? {} : { entry }),
      },
    ];
  });
}

function markIn(text = ""): ArchiveMark | undefined {
  const mark = jsonIn(text);
  const { bucket, prefix, sha256, leaves, asked, state } = isMap(mark) ? mark : {};
  const parts = [bucket, prefix, sha256, leaves, asked, state];
  const isWhole = parts.every((value) => typeof value === "string" && value !== "");
  return isWhole ? (mark as unknown as ArchiveMark) : undefined;
}

/** Milliseconds; the client reads times as Dates or texts. */
const madeAt = ({ metadata }: KubernetesObject) => new Date(metadata?.creationTimestamp ?? 0).getTime();
