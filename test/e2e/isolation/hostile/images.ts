import { type Ask, change, deploy, type Group, home, image, merge, policy, refused, run } from "./attempt.ts";

const running = (name: string, of: string): Ask => run(name, {}, { image: of });

/** Images that are not on the list; every spelling and kind of object is in admission/images.ts. */
export const images: Group = {
  on: "images",
  attempts: [
    ...refused(policy("images", "container 'web' has the image 'busybox:1.36'"), {
      "runs an image that is not on the list": running("other", "busybox:1.36"),
      "changes a Deployment's image to one off the list": merge(home("deployments/image"), {
        spec: { template: { spec: { containers: [{ name: "web", image: "busybox:1.36" }] } } },
      }),
    }),
  ],
  controls: {
    "runs an image on the list": running("image", image),
    "runs an image of a folder on the list": running("folder", "ghcr.io/acme/tool:2"),
    "makes a Deployment with an image on the list": deploy("image"),
    "scales a Deployment with an image on the list": change("deployments/image/scale", { spec: { replicas: 2 } }),
  },
};
