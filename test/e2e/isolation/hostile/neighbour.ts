import { abroad, create, type Group, get, inside, merge, named, patch, pod, rbac, refused, remove } from "./attempt.ts";

const subset = {
  containers: [],
  ephemeralContainers: [{ name: "spy", image: "nginx:1.27", targetContainerName: "web" }],
};

/** Others' objects, of which members see only workloads and Services. */
export const neighbour: Group = {
  on: "what is the neighbour's",
  attempts: [
    ["reads a neighbour's Secret", get(abroad("secrets/key")), rbac("get", "secrets")],
    ["lists the Secrets of the whole cluster", get("/api/v1/secrets"), rbac("list", "secrets")],
    [
      "watches a neighbour's Secret through a field selector",
      get(abroad("secrets?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dkey")),
      rbac("watch", "secrets"),
    ],
    ...refused(rbac("get", "configmaps"), {
      "reads a neighbour's ConfigMap": get(abroad("configmaps/settings")),
      "reads a ConfigMap of kube-system": get(inside("kube-system", "configmaps/extension-apiserver-authentication")),
    }),
    ["reads the logs of a neighbour's pod", get(abroad("pods/web/log")), rbac("get", "pods/log")],
    ...refused(rbac("create", "pods/exec"), {
      "runs a command in a neighbour's pod": create(abroad("pods/web/exec?command=env&stdout=true")),
    }),
    ["attaches to a neighbour's pod", create(abroad("pods/web/attach?stdout=true")), rbac("create", "pods/attach")],
    ...refused(rbac("create", "pods/portforward"), {
      "forwards a port of a neighbour's pod": create(abroad("pods/web/portforward?ports=80")),
    }),
    ["reaches a neighbour's pod through the API server", get(abroad("pods/web/proxy/")), rbac("get", "pods/proxy")],
    ...refused(rbac("get", "services/proxy"), {
      "reaches a neighbour's Service through the API server": get(abroad("services/vic-svc:80/proxy/")),
    }),
    [
      "puts a container of their own into a neighbour's pod",
      merge(abroad("pods/web/ephemeralcontainers"), { spec: subset }),
      rbac("patch", "pods/ephemeralcontainers"),
    ],
    ["makes a pod in a neighbour's namespace", create(abroad("pods"), pod("spy")), rbac("create", "pods")],
    ...refused(rbac("create", "secrets"), {
      "makes a Secret in a neighbour's namespace": create(abroad("secrets"), named("planted")),
    }),
    ...refused(rbac("patch", "deployments.apps"), {
      "changes the image of a neighbour's Deployment": merge(abroad("deployments/web"), {
        spec: { template: { spec: { containers: [{ name: "web", image: "evil" }] } } },
      }),
    }),
    ...refused(rbac("patch", "deployments.apps/scale"), {
      "scales a neighbour's Deployment to nothing": patch(abroad("deployments/web/scale"), { spec: { replicas: 0 } }),
    }),
    ...refused(rbac("create", "horizontalpodautoscalers.autoscaling"), {
      "limits a neighbour's Deployment to one pod by an autoscaler": create(
        abroad("horizontalpodautoscalers"),
        named("web", {
          spec: { maxReplicas: 1, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } },
        }),
      ),
    }),
    ["deletes a neighbour's Service", remove(abroad("services/vic-svc")), rbac("delete", "services")],
    [
      "points a neighbour's Service at other pods",
      patch(abroad("services/vic-svc"), { spec: { selector: { app: "mallory" } } }),
      rbac("patch", "services"),
    ],
    ["deletes all of a neighbour's pods at once", remove(abroad("pods")), rbac("deletecollection", "pods")],
    ["evicts a neighbour's pod", create(abroad("pods/web/eviction"), named("web")), rbac("create", "pods/eviction")],
    ...refused(rbac("create", "events"), {
      "makes an Event about a neighbour's pod that tells of what did not happen": create(
        abroad("events"),
        named("lie", { involvedObject: { kind: "Pod", name: "web", namespace: "vic" }, reason: "Killing" }),
      ),
    }),
    ...refused(rbac("list", "rolebindings.rbac.authorization.k8s.io"), {
      "reads the RoleBindings of a neighbour's namespace": get(abroad("rolebindings")),
    }),
    ["lists a neighbour's pods as a guest", get(abroad("pods")), rbac("list", "pods"), "gus"],
    [
      "lists Deployments of the whole cluster as a guest",
      get("/apis/apps/v1/deployments"),
      rbac("list", "deployments.apps"),
      "gus",
    ],
    [
      "reads a neighbour's Secret as a member of the type admin",
      get(abroad("secrets/key")),
      rbac("get", "secrets"),
      "ada",
    ],
  ],
  controls: {
    "sees a neighbour's pods": get(abroad("pods")),
    "sees the Deployments of the whole cluster": get("/apis/apps/v1/deployments"),
    "sees a neighbour's Services as a guest": [get(abroad("services")), "gus"],
  },
};
