import { type CommandContext, runCommand } from "./commands.ts";

/** The member of Pulumi.dev.yaml with a running application. */
export const exampleMember = "bob";

/** The member's user name at the API server after an OIDC sign-in. */
const username = `oidc:${exampleMember}`;

const labels = { "app.kubernetes.io/name": "web" };

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: exampleMember },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        securityContext: { runAsNonRoot: true, runAsUser: 101, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
          {
            name: "web",
            image: "nginxinc/nginx-unprivileged:1.29-alpine",
            ports: [{ containerPort: 8080 }],
            securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
          },
        ],
      },
    },
  },
};

const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: `${exampleMember}-svc`, namespace: exampleMember },
  spec: { selector: labels, ports: [{ name: "http", port: 80, targetPort: 8080 }] },
};

export async function ensureNamespace(name: string, context: CommandContext): Promise<void> {
  await apply([{ apiVersion: "v1", kind: "Namespace", metadata: { name } }], context);
}

/** Runs the member's application with the member's own rights only. Returns whether anything changed. */
export async function runExample(context: CommandContext): Promise<boolean> {
  const output = await apply([deployment, service], context, ["--as", username]);
  await runCommand(context, "kubectl", [
    ...["rollout", "status", "deployment/web", "--namespace", exampleMember, "--timeout=60s", "--as", username],
  ]);
  return !output.split("\n").every((line) => line === "" || line.endsWith(" unchanged"));
}

function apply(items: readonly unknown[], context: CommandContext, flags: readonly string[] = []): Promise<string> {
  const list = { apiVersion: "v1", kind: "List", items };
  return runCommand(context, "kubectl", ["apply", "-f", "-", ...flags], JSON.stringify(list));
}
