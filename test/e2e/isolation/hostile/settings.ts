import {
  cronJob,
  debug,
  deploy,
  each,
  type Group,
  home,
  image,
  make,
  many,
  merge,
  named,
  policy,
  refused,
  run,
} from "./attempt.ts";

/** Variables of which each has ten references to the one before: as text, the last has 10,000,000,000 characters. */
const chain = many(11, (index) => ({
  name: `A${index}`,
  value: index === 0 ? "0123456789" : `$(A${index - 1})`.repeat(10),
}));
/** The same with names in which a reference seems to begin. */
const hidden = chain.map(({ name, value }) => ({ name: `x$(${name}`, value: value.replaceAll("$(", "$(x$(") }));
const plain = (count: number) => many(count, (index) => ({ name: `PLAIN_${index}`, value: "yes" }));
const valuesOf = (count: number) =>
  many(count, (index) => ({ name: `FROM_${index}`, valueFrom: { secretKeyRef: { name: "key", key: "large" } } }));
const envFrom = (count: number) => many(count, (index) => ({ prefix: `P${index}_`, secretRef: { name: "key" } }));
const absent = (count: number) =>
  many(count, (index) => ({ configMapRef: { name: `absent-${index}`, optional: true } }));
const pullSecrets = (count: number) => ({ imagePullSecrets: many(count, (index) => named(`pull-${index}`).metadata) });
const mounts = (count: number, more: object = {}) =>
  many(count, (index) => ({ name: "data", mountPath: `/data/${index}`, subPath: `part-${index}`, ...more }));
const disk = { volumes: [{ name: "data", emptyDir: {} }] };
const variable = { env: [{ name: "A", value: "a" }] };

const tooManySettings = (kind: string, name: string, count: number) =>
  policy("amounts", `${kind} '${name}' has ${count} settings of its containers, .*: leave it at 2000`);
const tooManyReferences = policy("amounts", "has [0-9]+ references, .* in a container, .*: leave it at 100");
const tooManyMounts = (count: number) =>
  policy("amounts", `has ${count} mounts in its containers, each of which its node makes: leave it at 400`);

/** What an ordinary chart writes: a database's address from its parts, and the name of the pod in it. */
const ordinary = [
  ...plain(30),
  { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
  ...valuesOf(20),
  { name: "DB_HOST", value: "$(POD_NAME).db" },
  { name: "DB_URL", value: "postgres://$(FROM_0):$(FROM_1)@$(DB_HOST):5432/$(PLAIN_0)" },
  ...many(7, (index) => ({ name: `PEER_${index}`, value: `http://$(POD_NAME)-${index}.peers:2380` })),
];

/** What the kubelet writes out for each container, in its memory and on its node. */
export const containerSettings: Group = {
  on: "the memory of the kubelet",
  attempts: [
    ...refused(tooManyReferences, {
      "has the kubelet write out 10 GB of a variable": run("chain", {}, { env: chain }),
      "has a Deployment's pods write out 10 GB of a variable": deploy("chain", {}, { env: chain }),
      "has a CronJob's init containers write out 10 GB of a variable": make(
        "cronjobs",
        cronJob("chain", { initContainers: [{ name: "first", image, env: chain }] }),
      ),
      "adds a container with 10 GB of a variable to a running pod": debug("served", { env: chain }),
      "hides 10 GB of a variable in the variables' names": deploy("chain", {}, { env: hidden }),
      ...each(
        {
          "has the kubelet write a variable 10,000 times into a command": { command: many(10_000, () => "$(A)") },
          "has the kubelet write a variable 100,000 times into one argument": { args: ["$(A)".repeat(100_000)] },
          "has the kubelet write a variable 1,000 times into a probe's command": {
            readinessProbe: { exec: { command: ["$(A)".repeat(1000)] } },
          },
          "has the kubelet write a variable into the paths of 101 mounts": {
            volumeMounts: mounts(101, { subPath: undefined, subPathExpr: "$(A)" }),
          },
        },
        (container) => deploy("long", disk, { ...variable, ...container }),
      ),
      "adds a variable's reference to a Deployment that has as many as it may": merge(home("deployments/referred"), {
        spec: { template: { spec: { containers: [{ name: "web", env: [{ name: "MORE", value: "$(A)" }] }] } } },
      }),
    }),
    ...refused(tooManySettings("Pod", "copies", 20_000), {
      "has the kubelet copy a Secret 20,000 times": run("copies", {}, { envFrom: envFrom(20_000) }),
    }),
    ...refused(tooManySettings("Deployment", "absent", 2010), {
      "has the kubelet watch 201 ConfigMaps that nobody made": deploy("absent", {}, { envFrom: absent(201) }),
    }),
    ...refused(tooManySettings("Deployment", "copies", 2010), {
      "has the kubelet copy a value of a Secret 201 times": deploy("copies", {}, { env: valuesOf(201) }),
    }),
    ...refused(tooManySettings("Pod", "pulls", 5000), {
      "has the kubelet look for 5,000 Secrets for a registry": run("pulls", pullSecrets(5000)),
    }),
    ...refused(tooManySettings("Deployment", "variables", 10_000), {
      "has the kubelet keep 10,000 variables": deploy("variables", {}, { env: plain(10_000) }),
    }),
    ...refused(tooManySettings("Pod", "served", 2190), {
      "adds a container with 1,900 variables to a running pod": debug("served", { env: plain(1900) }),
    }),
    ...refused(tooManyMounts(10_000), {
      "has a node mount 10,000 parts of a volume": run("parts", disk, { volumeMounts: mounts(10_000) }),
    }),
    ...refused(tooManyMounts(401), {
      "has a node mount 401 parts of a volume in two containers": deploy(
        "parts",
        { ...disk, initContainers: [{ name: "first", image, volumeMounts: mounts(200) }] },
        { volumeMounts: mounts(201) },
      ),
    }),
  ],
  controls: {
    "runs a pod as a chart makes it, with 60 variables": run(
      "served",
      { ...disk, ...pullSecrets(2) },
      {
        env: ordinary,
        envFrom: envFrom(3),
        args: ["--name=$(POD_NAME)", "--url=$(DB_URL)", "--as=$(PLAIN_1)"],
        volumeMounts: mounts(20),
      },
    ),
    "runs a script with 50 substitutions of its own": deploy(
      "script",
      {},
      { command: ["sh", "-c", "echo $(date)\n".repeat(50)] },
    ),
    "runs three containers with 20 mounts each": deploy(
      "mounts",
      {
        ...disk,
        initContainers: ["first", "second"].map((name) => ({ name, image, volumeMounts: mounts(20) })),
      },
      { volumeMounts: mounts(20) },
    ),
    "makes a Deployment with as many references to variables as it may have": deploy(
      "referred",
      {},
      { ...variable, args: many(100, () => "$(A)") },
    ),
  },
};
