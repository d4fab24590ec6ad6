import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { V1ResourceQuota } from "@kubernetes/client-node";
import type { ApiServer } from "../../cluster/api/client.ts";
import type { ApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import type { Answer, AskRequest } from "../../cluster/api/requests.ts";
import { objectPath } from "../../cluster/kinds/kinds.ts";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import { applyRequest } from "../../cluster/write/apply.ts";
import { quotaInForce } from "../../cluster/write/pods.ts";
import type { Member } from "../../config/member/member.ts";
import { verifyLabel } from "../../config/names/labels.ts";
import { namespaceName, resourceQuotaName, verifyName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { defined } from "../../config/values/maps.ts";
import type { ReadObject } from "../../plan/rows/row.ts";
import { leaseOf, objectsOf, type StageObjects, sent, untilNow } from "./manifest.ts";

/** A member made for a while, who asks the API server as they would themselves. */
export interface Player extends StageObjects {
  readonly member: Member;
  readonly namespace: string;
  /** As the member, and never throws for a refusal. @throws Error where the identity may impersonate nobody */
  readonly ask: (method: AskRequest["method"], path: string, body?: object, contentType?: string) => Promise<Answer>;
}

export interface Stage {
  readonly settings: Settings;
  /** Two of each type, one after the other. */
  readonly players: readonly Player[];
  /** As the kubeconfig's identity. */
  readonly api: ApiServer;
  /** Aborted by Ctrl-C and when the time is over. */
  readonly signal: AbortSignal;
  /** As another user, such as one of the staff, or as one in a group. */
  readonly askAs: (user: string, inGroup?: string) => Player["ask"];
  /** Makes an object, or changes it, as a run does. */
  readonly apply: (object: ReadObject, annotations?: Readonly<Record<string, string>>) => Promise<void>;
  /** Makes a namespace that is no member's, for what must be out of a member's reach, and gives its name. */
  readonly strange: () => Promise<string>;
  /** Says what goes on, on stderr. */
  readonly tell: (text: string) => void;
}

export interface StageParts {
  readonly target: ApiTarget;
  readonly settings: Settings;
  readonly members: readonly Member[];
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
}

/** Makes what a member has, and waits for their quota. */
export async function make(
  { base, member, namespace }: Player,
  { api, settings, apply, players }: Stage,
): Promise<void> {
  for (const object of base) {
    await apply(
      object,
      object.kind === "Namespace"
        ? leaseOf(
            member,
            players.map((player) => player.member),
            settings,
          )
        : {},
    );
  }
  if (base.some(({ kind }) => kind === "ResourceQuota")) {
    const path = objectPath({ kind: "ResourceQuota", name: resourceQuotaName, namespace });
    await quotaInForce(
      () => api.get<V1ResourceQuota>({ what: `the ResourceQuota of '${namespace}'`, path }),
      (quota) => isDeepStrictEqual(quota?.status?.hard, quota?.spec?.hard),
      (milliseconds) => sleep(milliseconds),
    );
  }
}

export function stageOf(api: ApiServer, { settings, members, signal, tell }: StageParts): Stage {
  const askAs =
    (user: string, inGroup?: string): Player["ask"] =>
    async (method, path, body, contentType) => {
      const what = `${method} ${path} as ${user}`;
      const answer = await api.ask({ what, method, path, body, as: user, ...defined({ contentType, inGroup }) });
      const words = answer.status === 403 ? wordsOf(answer) : "";
      if (words.includes("cannot impersonate")) {
        throw new Error(`give this identity the verb 'impersonate' on users, groups and serviceaccounts: ${words}`);
      }
      return answer;
    };
  const apply: Stage["apply"] = async (object, annotations) => {
    await api.write(applyRequest(`make ${keyOf(object)}`, object, sent(object, settings, annotations)));
  };
  return {
    settings,
    players: members.map((member) => ({
      member,
      namespace: namespaceName(member),
      ask: askAs(member.username),
      ...objectsOf(member, settings),
    })),
    api,
    signal,
    tell,
    askAs,
    apply,
    strange: async () => {
      const name = verifyName(settings, 0);
      const labels = { [verifyLabel]: settings.stack, ...restricted };
      const body = { apiVersion: "v1", kind: "Namespace", metadata: { name, labels, annotations: untilNow(members) } };
      const object = { kind: "Namespace", name, namespace: undefined } as const;
      await api.write(applyRequest(`make namespace '${name}'`, object, body));
      return name;
    },
  };
}

const restricted = { "pod-security.kubernetes.io/enforce": "restricted" };

/** A refusal in the API server's words. */
export function wordsOf({ status, body }: Answer): string {
  const { message } = Object(body) as { message?: unknown };
  return typeof message === "string" ? message : `${status} ${String(body).slice(0, 200)}`;
}
