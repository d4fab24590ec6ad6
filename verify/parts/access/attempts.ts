import { messageOf } from "../../../cluster/api/errors.ts";
import { hands, inParallel } from "../../../cluster/inParallel.ts";
import { listPath, objectPath } from "../../../cluster/kinds/kinds.ts";
import { isWrittenByMembers } from "../../../cluster/kinds/stackKinds.ts";
import { withArticle } from "../../../config/values/sentences.ts";
import { broken, held, type Outcome, type Promised, type Tried, tried, unproven } from "../../outcome.ts";
import { type Player, type Stage, wordsOf } from "../../stage/stage.ts";
import { type Right, review, rightTexts, toReview } from "./rights.ts";

const page = "docs/security/security.md#promises";
const reading: Promised = { promise: "Elsewhere, members read no logs, ConfigMaps, Secrets or events", page };
const changing: Promised = { promise: "Members change nothing of others, the platform or the cluster", page };
const guarding: Promised = {
  promise: "Members don't change their guard rails, impersonate, or make ServiceAccount tokens or certificates",
  page,
};

interface Attempt {
  readonly promised: Promised;
  /** Such as `read secrets in another member's namespace`. */
  readonly what: string;
  readonly method: Parameters<Player["ask"]>[0];
  readonly path: string;
  readonly body?: object;
}

/** Members try what RBAC must refuse. Nothing is written even if it does not. */
export async function attemptTrials({ players }: Stage): Promise<readonly Tried[]> {
  const controls = await inParallel(players, hands, controlOf);
  const trials = players.flatMap((player, index) => {
    const other = players[(index + 1) % players.length] ?? player;
    const by = withArticle(player.member.type.name);
    const control = controls[index];
    return [
      ...attemptsOf(player, other).map((each) => ({
        promised: each.promised,
        by,
        act: async () => (control === undefined ? await outcomeOf(each, player) : unproven(control)),
      })),
      ...questions.map((right) => ({ promised: guarding, by, act: () => answerTo(right, player) })),
    ];
  });
  return await inParallel(trials, hands, ({ promised, by, act }) => tried(promised, by, act));
}

/** Why refusals of others' objects would show nothing; undefined if they may list their own pods. */
async function controlOf({ ask, namespace }: Player): Promise<string | undefined> {
  try {
    const answer = await ask("GET", listPath("Pod", namespace));
    return answer.status === 200 ? undefined : `they can't list their own pods: ${wordsOf(answer)}`;
  } catch (cause) {
    return messageOf(cause);
  }
}

async function outcomeOf({ what, method, path, body }: Attempt, { ask }: Player): Promise<Outcome> {
  const answer = await ask(method, path, body);
  const { status } = answer;
  if (status === 403) {
    return held;
  }
  if (status === 401 || status === 429 || status >= 500) {
    return unproven(`tried to ${what}: ${wordsOf(answer)}`);
  }
  // RBAC comes before all else that refuses a request.
  return broken(`tried to ${what}`, status === 200 ? "the API server let them" : `RBAC let them (${wordsOf(answer)})`);
}

const dryRun = "?dryRun=All";

const attemptsOf = (player: Player, other: Player): readonly Attempt[] => [
  ...inPlace(other.namespace, "in another member's namespace"),
  ...inPlace("kube-system", "in kube-system"),
  ...["secrets", "nodes/any/proxy/pods"].map((resource) => read(`/api/v1/${resource}`, resource, "of the cluster")),
  ...clusterWide.map((path) => create(changing, path, "in the cluster")),
  ...toGuardsOf(other, changing, "another member's"),
  ...toGuardsOf(player, guarding, "their own"),
  ...guards.map(([api, resource]) => create(guarding, `${api}/namespaces/${player.namespace}/${resource}`, "at home")),
  create(guarding, "/apis/certificates.k8s.io/v1/certificatesigningrequests", "in the cluster"),
];

const rbac = "/apis/rbac.authorization.k8s.io/v1";

const guards = [
  ...["limitranges", "resourcequotas", "serviceaccounts", "serviceaccounts/default/token"].map((resource) => [
    "/api/v1",
    resource,
  ]),
  ["/apis/networking.k8s.io/v1", "networkpolicies"],
  [rbac, "rolebindings"],
  [rbac, "roles"],
] as const;

const clusterWide = [
  ...["namespaces", "persistentvolumes", "nodes"].map((resource) => `/api/v1/${resource}`),
  ...["clusterroles", "clusterrolebindings"].map((resource) => `${rbac}/${resource}`),
  ...["mutatingwebhookconfigurations", "validatingadmissionpolicies", "validatingadmissionpolicybindings"].map(
    (resource) => `/apis/admissionregistration.k8s.io/v1/${resource}`,
  ),
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  "/apis/apiregistration.k8s.io/v1/apiservices",
  "/apis/scheduling.k8s.io/v1/priorityclasses",
  "/apis/storage.k8s.io/v1/storageclasses",
];

const read = (path: string, resource: string, where: string): Attempt => ({
  promised: reading,
  what: `read ${resource.replace("/any", "")} ${where}`,
  method: "GET",
  path,
});

/** RBAC answers before anybody looks into the body. */
const create = (promised: Promised, path: string, where: string): Attempt => ({
  promised,
  what: `create ${path.replace(/^.*\/(namespaces\/[^/]+|v1)\//, "").replace(/\/(any|default)\b/, "")} ${where}`,
  method: "POST",
  path: path + dryRun,
  body: {},
});

function inPlace(namespace: string, where: string): readonly Attempt[] {
  const home = `/api/v1/namespaces/${namespace}`;
  return [
    ...["configmaps", "events", "pods/any/log", "secrets"].map((one) => read(`${home}/${one}`, one, where)),
    ...["configmaps", "pods", "secrets", "serviceaccounts/default/token"].map((one) =>
      create(changing, `${home}/${one}`, where),
    ),
    ...["attach", "exec", "portforward"].map((one) => ({
      promised: changing,
      what: `use pods/${one} ${where}`,
      method: "GET" as const,
      path: `${home}/pods/any/${one}?command=id&stdout=true`,
    })),
  ];
}

/** Changes and deletions of what only the platform writes, the namespace itself included. */
const toGuardsOf = ({ base }: Player, promised: Promised, whose: string): readonly Attempt[] =>
  base
    .filter((object) => !isWrittenByMembers(object))
    .flatMap((object) => {
      const path = objectPath(object) + dryRun;
      const body = { metadata: { labels: { tried: "true" } } };
      return [
        { promised, what: `change ${whose} ${object.kind}`, method: "PATCH" as const, path, body },
        { promised, what: `delete ${whose} ${object.kind}`, method: "DELETE" as const, path },
      ];
    });

const of = (group: string, verb: string, ...resources: readonly string[]): readonly Right[] =>
  resources.map((resource) => ({ verb, group, resource, name: "" }));

/** Rights that no request of their own can try. */
const questions = [
  ...of("", "impersonate", "groups", "serviceaccounts", "users"),
  ...of("authentication.k8s.io", "impersonate", "uids", "userextras/scopes"),
  ...["bind", "escalate"].flatMap((verb) => of("rbac.authorization.k8s.io", verb, "clusterroles", "roles")),
  ...["approve", "sign"].flatMap((verb) => of("certificates.k8s.io", verb, "signers")),
  ...of("*", "*", "*"),
];

async function answerTo(right: Right, { ask, namespace }: Player): Promise<Outcome> {
  const { allowed, reason = "" } = await review(ask, "SelfSubjectAccessReview", toReview(right, namespace));
  const [text = ""] = rightTexts([right]);
  return allowed === true ? broken(`asked whether they may ${text}`, `they may. ${reason}`.trim()) : held;
}
