import { type BoardModel, boardModel, type Turn } from "../../../commands/board/model.ts";
import type { MemberOverview, Usage } from "../../../commands/members/overview/overview.ts";

const host = "camp.example.org";
const readAt = new Date("2026-11-27T09:30:00Z");

const member = (name: string, more: Partial<MemberOverview> = {}): MemberOverview => ({
  stack: "prod",
  member: name,
  namespace: name,
  type: "user",
  state: "ready",
  reason: undefined,
  route: { host, path: `/${name}` },
  expires: undefined,
  leaves: undefined,
  protected: false,
  starter: undefined,
  buckets: [],
  staff: [],
  ci: [],
  pods: 0,
  usage: undefined,
  ...more,
});

const usageOf = (cpu: string, memory: string, pods: number, more: Readonly<Record<string, Usage>> = {}) => ({
  "limits.cpu": { used: cpu, hard: "2" },
  "limits.memory": { used: memory, hard: "4Gi" },
  pods: { used: String(pods), hard: "20" },
  "requests.storage": { used: "8Gi", hard: "20Gi" },
  persistentvolumeclaims: { used: "2", hard: "5" },
  ...more,
});

const invitation = {
  markdown: `# Welcome

You have a namespace of your own on a Kubernetes cluster.

| | |
|---|---|
| your namespace | \`bob\` |
| whom to ask | camp@example.org |

## Sign in

\`\`\`sh
export KUBECONFIG=$PWD/bob.kubeconfig
kubectl get pods
\`\`\`
`,
  language: "en",
};

/** Three members, one of each: fine, pending and asleep. */
export const threeMembers: BoardModel = boardModel({
  stack: "prod",
  readAt,
  members: [
    member("ada", {
      type: "admin",
      protected: true,
      pods: 4,
      usage: usageOf("1500m", "1536Mi", 4, { "requests.nvidia.com/gpu": { used: "1", hard: "1" } }),
      buckets: [{ name: "data", bucketName: "ada-data", endpoint: "https://s3.example.org", ready: undefined }],
    }),
    member("bob", {
      state: "pending",
      reason: "no Service 'bob-svc' in namespace 'bob'",
      route: undefined,
      expires: "2027-02-28",
      pods: 1,
      usage: usageOf("1900m", "512Mi", 1),
      staff: [{ role: "assist", kind: "Group", name: "oidc:ta-cs101" }],
    }),
    member("cyd", {
      state: "asleep",
      reason: "asleep since 2026-11-26 20:00, until 2026-11-27 13:00 Europe/Zurich",
      route: undefined,
      expires: "2027-02-28",
      usage: usageOf("0", "0", 0),
    }),
  ],
  labels: new Map([
    ["ada", { course: "cs101" }],
    ["bob", { course: "cs101", team: "blue" }],
    ["cyd", { course: "cs102", team: "red" }],
  ]),
  turns: new Map<string, Turn>([
    ["ada", { to: "asleep", at: "2026-11-27T19:00:00Z", timeZone: "Europe/Zurich" }],
    ["cyd", { to: "awake", at: "2026-11-27T12:00:00Z", timeZone: "Europe/Zurich" }],
  ]),
  differs: [{ member: "bob", what: "changed", object: "ResourceQuota bob/quota" }],
  ups: [
    {
      at: "2026-11-27T09:12:00Z",
      seconds: 6.4,
      members: ["ada"],
      why: "route opens",
      outcome: "succeeded",
      changes: [{ operation: "create", type: "kubernetes:networking.k8s.io/v1:Ingress", name: "ada/route" }],
    },
    {
      at: "2026-11-27T09:00:00Z",
      seconds: 21.7,
      members: undefined,
      why: "interval",
      outcome: "failed",
      reason: "bob/quota: the API server refuses it",
      changes: [],
    },
  ],
  invitations: () => invitation,
});

/** Deterministic, so that a picture of it can be compared. */
export function manyMembers(count: number): BoardModel {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const first = [
    "ada",
    "bob",
    "cyd",
    "dan",
    "eve",
    "fay",
    "gus",
    "hana",
    "ivo",
    "jun",
    "kay",
    "leo",
    "mia",
    "noa",
    "oki",
  ];
  const courses = ["cs101", "cs102", "cs203", "ml310"];
  const members = Array.from({ length: count }, (_, at) => {
    const name = `${first[at % first.length]}${Math.floor(at / first.length) + 1}`;
    const dice = random(100);
    const usage = usageOf(`${random(21) * 100}m`, `${random(33) * 128}Mi`, random(20), {
      ...(dice % 4 === 0 ? { "requests.nvidia.com/gpu": { used: String(random(2)), hard: "1" } } : {}),
    });
    const more: Partial<MemberOverview> =
      dice < 6
        ? { state: "pending", reason: `no Service '${name}-svc' in namespace '${name}'`, route: undefined }
        : dice < 8
          ? { state: "suspended", reason: "suspended", route: undefined }
          : dice < 10
            ? { state: "expired", reason: "expired: the last day was 2026-11-20", route: undefined }
            : {};
    return member(name, { type: dice > 95 ? "admin" : "user", expires: "2027-02-28", usage, ...more });
  });
  return boardModel({
    stack: "prod",
    readAt,
    members,
    labels: new Map(members.map(({ member }, at) => [member, { course: courses[at % courses.length] ?? "" }])),
    ups: threeMembers.ups,
    differs: [],
    invitations: () => invitation,
  });
}

/** The same as `members -o html` shows it, which neither compares nor knows of runs. */
export const asListed = (model: BoardModel): BoardModel => ({
  ...model,
  members: model.members.map((member) => ({ ...member, differs: undefined })),
  differs: undefined,
  ups: undefined,
});
