import { abroad, create, type Group, get, merge, patch, rbac } from "./attempt.ts";

const subset = {
  containers: [],
  ephemeralContainers: [{ name: "spy", image: "nginx:1.27", targetContainerName: "web" }],
};

/** Others' objects, of which members see only workloads and Services. */
export const neighbour: Group = {
  on: "what is the neighbour's",
  attempts: [
    ["reads a Secret", get(abroad("secrets/key")), rbac("get", "secrets")],
    [
      "watches a single Secret through a field selector",
      get(abroad("secrets?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dkey")),
      rbac("watch", "secrets"),
    ],
    ["reads the logs of a pod", get(abroad("pods/web/log")), rbac("get", "pods/log")],
    ["runs a command in a pod", create(abroad("pods/web/exec?command=env&stdout=true")), rbac("create", "pods/exec")],
    [
      "puts a container of their own into a pod",
      merge(abroad("pods/web/ephemeralcontainers"), { spec: subset }),
      rbac("patch", "pods/ephemeralcontainers"),
    ],
    [
      "changes the image of a Deployment",
      merge(abroad("deployments/web"), {
        spec: { template: { spec: { containers: [{ name: "web", image: "evil" }] } } },
      }),
      rbac("patch", "deployments.apps"),
    ],
    [
      "points a Service at other pods",
      patch(abroad("services/vic-svc"), { spec: { selector: { app: "mallory" } } }),
      rbac("patch", "services"),
    ],
    ["lists pods as a guest", get(abroad("pods")), rbac("list", "pods"), "gus"],
    ["reads a Secret as a member of the type admin", get(abroad("secrets/key")), rbac("get", "secrets"), "ada"],
  ],
  controls: [
    ["sees the pods", get(abroad("pods"))],
    ["sees the Deployments of the whole cluster", get("/apis/apps/v1/deployments")],
    ["sees the Services as a guest", get(abroad("services")), "gus"],
  ],
};
