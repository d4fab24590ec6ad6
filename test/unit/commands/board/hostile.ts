import { type BoardModel, boardModel } from "../../../../commands/board/model.ts";

/** Ends attributes, elements, comments and styles, and runs something wherever it is taken for markup. */
export const hostile = `"'></b></style></title></script>--><script>owned=1</script><img src=x onerror="owned=2">&lt;b&gt;\${owned}<!--`;

/** Every text of a model is hostile, as far as its type lets it be. */
export const hostileModel: BoardModel = boardModel({
  stack: hostile,
  readAt: new Date("2026-11-27T09:30:00Z"),
  members: [
    {
      stack: hostile,
      member: hostile,
      namespace: hostile,
      type: hostile,
      state: "ready",
      reason: hostile,
      route: { host: "camp.example.org", path: `/${hostile}` },
      expires: hostile,
      leaves: hostile,
      protected: true,
      starter: { mode: "kept", replicas: 1, available: 1 },
      buckets: [{ name: hostile, bucketName: `${hostile}2`, endpoint: "javascript:owned=3", ready: false }],
      staff: [{ role: "assist", kind: hostile, name: hostile }],
      ci: [{ kind: hostile, name: hostile }],
      pods: 1,
      usage: {
        "limits.cpu": { used: hostile, hard: hostile },
        "limits.memory": { used: hostile, hard: hostile },
        pods: { used: hostile, hard: hostile },
        persistentvolumeclaims: { used: hostile, hard: hostile },
        "requests.storage": { used: hostile, hard: hostile },
        [`requests.${hostile}/gpu`]: { used: hostile, hard: hostile },
        [`${hostile}.storageclass.storage.k8s.io/requests.storage`]: { used: hostile, hard: hostile },
      },
    },
  ],
  labels: new Map([[hostile, { [hostile]: hostile }]]),
  turns: new Map([[hostile, { to: "asleep", at: "2026-11-27T19:00:00Z", timeZone: "Europe/Zurich" }]]),
  differs: [
    { member: hostile, what: "changed", object: hostile },
    { member: undefined, what: "missing", object: hostile },
  ],
  ups: [
    {
      at: "2026-11-27T09:12:00Z",
      seconds: 6.4,
      members: [hostile],
      why: hostile,
      outcome: "failed",
      reason: hostile,
      changes: [{ operation: "create", type: hostile, name: hostile }],
    },
  ],
  invitations: () => ({ markdown: "Welcome", language: hostile }),
});
