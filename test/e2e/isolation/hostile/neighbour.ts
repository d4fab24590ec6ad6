import { abroad, create, type Group, get, inside, merge, named, patch, pod, rbac, remove } from "./attempt.ts";

const subset = {
  containers: [],
  ephemeralContainers: [{ name: "spy", image: "nginx:1.27", targetContainerName: "web" }],
};

/** Others' objects, of which members see only workloads and Services. */
export const neighbour: Group = {
  on: "what is the neighbour's",
  attempts: [
    ["reads a Secret", get(abroad("secrets/key")), rbac("get", "secrets")],
    ["lists the Secrets of the whole cluster", get("/api/v1/secrets"), rbac("list", "secrets")],
    [
      "watches a single Secret through a field selector",
      get(abroad("secrets?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dkey")),
      rbac("watch", "secrets"),
    ],
    ["reads a ConfigMap", get(abroad("configmaps/settings")), rbac("get", "configmaps")],
    [
      "reads a ConfigMap of kube-system",
      get(inside("kube-system", "configmaps/extension-apiserver-authentication")),
      rbac("get", "configmaps"),
    ],
    ["reads the logs of a pod", get(abroad("pods/web/log")), rbac("get", "pods/log")],
    ["runs a command in a pod", create(abroad("pods/web/exec?command=env&stdout=true")), rbac("create", "pods/exec")],
    ["attaches to a pod", create(abroad("pods/web/attach?stdout=true")), rbac("create", "pods/attach")],
    ["forwards a port of a pod", create(abroad("pods/web/portforward?ports=80")), rbac("create", "pods/portforward")],
    ["reaches a pod through the API server", get(abroad("pods/web/proxy/")), rbac("get", "pods/proxy")],
    [
      "reaches a Service through the API server",
      get(abroad("services/vic-svc:80/proxy/")),
      rbac("get", "services/proxy"),
    ],
    [
      "puts a container of their own into a pod",
      merge(abroad("pods/web/ephemeralcontainers"), { spec: subset }),
      rbac("patch", "pods/ephemeralcontainers"),
    ],
    ["makes a pod", create(abroad("pods"), pod("spy")), rbac("create", "pods")],
    ["makes a Secret", create(abroad("secrets"), named("planted")), rbac("create", "secrets")],
    [
      "changes the image of a Deployment",
      merge(abroad("deployments/web"), {
        spec: { template: { spec: { containers: [{ name: "web", image: "evil" }] } } },
      }),
      rbac("patch", "deployments.apps"),
    ],
    [
      "scales a Deployment to nothing",
      patch(abroad("deployments/web/scale"), { spec: { replicas: 0 } }),
      rbac("patch", "deployments.apps/scale"),
    ],
    [
      "scales a Deployment to nothing by an autoscaler",
      create(
        abroad("horizontalpodautoscalers"),
        named("web", {
          spec: { maxReplicas: 1, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } },
        }),
      ),
      rbac("create", "horizontalpodautoscalers.autoscaling"),
    ],
    ["deletes a Service", remove(abroad("services/vic-svc")), rbac("delete", "services")],
    [
      "points a Service at other pods",
      patch(abroad("services/vic-svc"), { spec: { selector: { app: "mallory" } } }),
      rbac("patch", "services"),
    ],
    ["deletes all pods at once", remove(abroad("pods")), rbac("deletecollection", "pods")],
    ["evicts a pod", create(abroad("pods/web/eviction"), named("web")), rbac("create", "pods/eviction")],
    [
      "makes an Event that tells of what did not happen",
      create(
        abroad("events"),
        named("lie", { involvedObject: { kind: "Pod", name: "web", namespace: "vic" }, reason: "Killing" }),
      ),
      rbac("create", "events"),
    ],
    ["reads who else has keys", get(abroad("rolebindings")), rbac("list", "rolebindings.rbac.authorization.k8s.io")],
    ["lists pods as a guest", get(abroad("pods")), rbac("list", "pods"), "gus"],
    [
      "lists Deployments of the whole cluster as a guest",
      get("/apis/apps/v1/deployments"),
      rbac("list", "deployments.apps"),
      "gus",
    ],
    ["reads a Secret as a member of the type admin", get(abroad("secrets/key")), rbac("get", "secrets"), "ada"],
  ],
  controls: [
    ["sees the pods", get(abroad("pods"))],
    ["sees the Deployments of the whole cluster", get("/apis/apps/v1/deployments")],
    ["sees the Services as a guest", get(abroad("services")), "gus"],
  ],
};
