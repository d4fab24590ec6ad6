import { callerWith } from "../../support/signIn/signedIn.ts";
import { abroad, create, type Group, get, image, merge, pod, rbac, refused, remove } from "./attempt.ts";

/** Others' objects, of which members see only workloads and Services. */
export const neighbour: Group = {
  on: "what is the neighbour's",
  attempts: [
    ["reads a neighbour's Secret", get(abroad("secrets/key")), rbac("get", "secrets")],
    [
      "watches a neighbour's Secret through a field selector",
      get(abroad("secrets?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dkey")),
      rbac("watch", "secrets"),
    ],
    ["reads the logs of a neighbour's pod", get(abroad("pods/web/log")), rbac("get", "pods/log")],
    ...refused(rbac("create", "pods/exec"), {
      "runs a command in a neighbour's pod": create(abroad("pods/web/exec?command=env&stdout=true")),
    }),
    [
      "puts a container of their own into a neighbour's pod",
      merge(abroad("pods/web/ephemeralcontainers"), {
        spec: { ephemeralContainers: [{ name: "spy", image, targetContainerName: "web" }] },
      }),
      rbac("patch", "pods/ephemeralcontainers"),
    ],
    ["makes a pod in a neighbour's namespace", create(abroad("pods"), pod("spy")), rbac("create", "pods")],
    ...refused(rbac("patch", "deployments.apps"), {
      "changes the image of a neighbour's Deployment": merge(abroad("deployments/web"), {
        spec: { template: { spec: { containers: [{ name: "web", image: "evil" }] } } },
      }),
    }),
    ["deletes a neighbour's Service", remove(abroad("services/vic-svc")), rbac("delete", "services")],
    [
      "reads a neighbour's Secret without any token",
      (_, sandbox) => callerWith(sandbox, "").ask("GET", abroad("secrets/key")),
      /User "system:anonymous" cannot get resource "secrets"|^401/,
    ],
    ["lists a neighbour's pods as a guest", get(abroad("pods")), rbac("list", "pods"), "gus"],
  ],
  controls: {
    "sees a neighbour's pods": get(abroad("pods")),
    "sees a neighbour's Services as a guest": [get(abroad("services")), "gus"],
  },
};
