import {
  type Ask,
  type Attempt,
  change,
  cronJob,
  debug,
  deploy,
  type Group,
  home,
  image,
  make,
  merge,
  named,
  policy,
  refused,
  run,
  template,
  workload,
} from "./attempt.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
const offList = (words: string) => policy("images", words);
const running = (name: string, of: string): Ask => run(name, {}, { image: of });

/** Images that resemble an allowed one, but are others. */
const spellings: readonly (readonly [tries: string, image: string])[] = [
  ["runs an image that is not on the list", "busybox:1.36"],
  ["runs another tag of an image on the list", "nginx:1.26"],
  ["runs an image on the list without a tag, which is the latest", "nginx"],
  ["runs any digest under the allowed tag", `nginx:1.27@${digest}`],
  ["runs a digest of an image on the list without its tag", `nginx@${digest}`],
  ["runs an image named as on the list from another registry", "evil.example.org/library/nginx:1.27"],
  ["runs an image named as on the list from a registry with a port", "docker.io:5000/library/nginx:1.27"],
  ["runs an image named as on the list from the node itself", "localhost/nginx:1.27"],
  ["runs an image named as on the list of somebody else's", "mallory/nginx:1.27"],
  ["runs an image whose registry only begins like that on the list", "ghcr.io.example.org/acme/tool:1"],
  ["runs an image whose repository only begins like that on the list", "ghcr.io/acme-evil/tool:1"],
  ["runs an image beside the folder on the list", "ghcr.io/acme/../evil/tool:1"],
];

const busybox = { name: "other", image: "busybox:1.36" };
const named_ = (container: string) =>
  offList(
    `${container} 'other' has the image 'busybox:1.36'.*docker.io/library/nginx|${container} 'other' has the image 'busybox:1.36'.*nginx:1.27.*ask platform@example.org`,
  );

/** Images that are not on the list. */
export const images: Group = {
  on: "images",
  attempts: [
    ...spellings.map(
      ([tries, of], index): Attempt => [tries, running(`image-${index}`, of), offList("container 'web' has the image")],
    ),
    ...refused(named_("initContainer"), {
      "runs an image off the list in a container before the others": run("init", { initContainers: [busybox] }),
    }),
    ...refused(named_("ephemeralContainer"), {
      "adds a container with an image off the list to a running pod": debug("image", busybox),
    }),
    [
      "mounts an image off the list as a volume",
      run("volume", { volumes: [{ name: "other", image: { reference: "busybox:1.36" } }] }),
      named_("volume"),
    ],
    ...refused(offList("busybox"), {
      "changes a running pod's image to one off the list": merge(home("pods/image"), {
        spec: { containers: [{ name: "web", image: "busybox:1.36" }] },
      }),
      "changes a Deployment's image to one off the list": merge(home("deployments/image"), {
        spec: { template: { spec: { containers: [{ name: "web", image: "busybox:1.36" }] } } },
      }),
      "makes statefulsets with an image off the list": make(
        "statefulsets",
        named("other", { spec: { ...workload("other", {}, { image: "busybox" }).spec, serviceName: "peers" } }),
      ),
      "makes jobs with an image off the list": make(
        "jobs",
        named("other", { spec: { template: template({ restartPolicy: "Never" }, { image: "busybox" }) } }),
      ),
      "makes cronjobs with an image off the list": make("cronjobs", cronJob("other", {}, { image: "busybox" })),
    }),
    ...(["deployments", "daemonsets", "replicasets"] as const).map(
      (kind): Attempt => [
        `makes ${kind} with an image off the list`,
        make(kind, workload("other", {}, { image: "busybox" })),
        offList("busybox"),
      ],
    ),
  ],
  controls: {
    "runs an image on the list": running("image", image),
    "runs an image on the list by its whole name": running("whole", "docker.io/library/nginx:1.27"),
    "runs an image of a folder on the list": running("folder", "ghcr.io/acme/tool:2"),
    "makes a Deployment with an image on the list": deploy("image"),
    "scales a Deployment with an image on the list": change("deployments/image/scale", { spec: { replicas: 2 } }),
  },
};
