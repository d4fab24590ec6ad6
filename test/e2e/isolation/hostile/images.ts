import type { Ask, Attempt } from "./attempt.ts";
import { create, type Group, home, image, merge, patch, pod, policy, workload } from "./attempt.ts";

const refused = (words: string) => policy("images", words);
const running = (name: string, of: string): Ask => create(home("pods"), pod(name, {}, { image: of }));

/** Images that resemble an allowed one, but are others. */
const spellings: readonly (readonly [tries: string, image: string])[] = [
  ["runs an image that is not on the list", "busybox:1.36"],
  ["runs one of that name from another registry", "evil.example.org/library/nginx:1.27"],
];

const busybox = { name: "other", image: "busybox:1.36" };
const named_ = (container: string) =>
  refused(
    `${container} 'other' has the image 'busybox:1.36'.*docker.io/library/nginx|${container} 'other' has the image 'busybox:1.36'.*nginx:1.27.*ask platform@example.org`,
  );

/** Images that are not on the list. */
export const images: Group = {
  on: "images",
  attempts: [
    ...spellings.map(
      ([tries, of], index): Attempt => [tries, running(`image-${index}`, of), refused("container 'web' has the image")],
    ),
    [
      "runs one in a container before the others",
      create(home("pods"), pod("init", { initContainers: [busybox] })),
      named_("initContainer"),
    ],
    [
      "adds one to a running pod",
      merge(home("pods/image/ephemeralcontainers"), {
        spec: { ephemeralContainers: [{ ...busybox, targetContainerName: "web" }] },
      }),
      named_("ephemeralContainer"),
    ],
    [
      "mounts one as a volume",
      create(home("pods"), pod("volume", { volumes: [{ name: "other", image: { reference: "busybox:1.36" } }] })),
      named_("volume"),
    ],
    [
      "changes a running pod's image",
      merge(home("pods/image"), { spec: { containers: [{ name: "web", image: "busybox:1.36" }] } }),
      refused("busybox"),
    ],
    [
      "changes a Deployment's image",
      merge(home("deployments/image"), {
        spec: { template: { spec: { containers: [{ name: "web", image: "busybox:1.36" }] } } },
      }),
      refused("busybox"),
    ],
    ...(["deployments", "daemonsets", "replicasets"] as const).map(
      (kind): Attempt => [
        `has a ${kind.slice(0, -1)} run one`,
        create(home(kind), workload("other", {}, { image: "busybox" })),
        refused("busybox"),
      ],
    ),
  ],
  controls: [
    ["runs the image on the list", running("image", image)],
    ["runs it by its whole name", running("whole", "docker.io/library/nginx:1.27")],
    ["runs one of a folder on the list", running("folder", "ghcr.io/acme/tool:2")],
    ["has a Deployment run it", create(home("deployments"), workload("image"))],
    ["scales that", patch(home("deployments/image/scale"), { spec: { replicas: 2 } })],
  ],
};
