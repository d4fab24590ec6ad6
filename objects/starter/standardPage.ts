import type { StarterMode } from "../../config/member/types.ts";
import { starterName, starterPagesName } from "../../config/names/names.ts";

/** The page if the settings have none, with the placeholders that pages in the settings may have. */
export const standardPage = (mode: StarterMode) => `# Welcome, {member}

This page answers at <{url}>. It comes from the namespace \`{namespace}\`, which is yours:
the Deployment \`${starterName}\` serves what is in the ConfigMap \`${starterPagesName}\`, and the Service
\`{member}-svc\` leads to it.

## Put an app of your own here

\`\`\`sh
kubectl create deployment web --image=IMAGE --port=8080 -n {namespace}
kubectl patch service {member}-svc -n {namespace} --type=json -p='[
  {"op": "replace", "path": "/spec/selector", "value": {"app": "web"}},
  {"op": "replace", "path": "/spec/ports/0/targetPort", "value": 8080}]'
\`\`\`

${next[mode]}

## What you may use

{limits}

\`kubectl describe quota,limits -n {namespace}\` shows what of it is in use.
`;

const next: Readonly<Record<StarterMode, string>> = {
  once: `Then delete what you don't need any more. It does not come back:

\`\`\`sh
kubectl delete deployment/${starterName} configmap/${starterPagesName} -n {namespace}
\`\`\`

Or write pages here: each key of the ConfigMap that ends in \`.md\` is one.

\`\`\`sh
kubectl edit configmap ${starterPagesName} -n {namespace}
kubectl rollout restart deployment/${starterName} -n {namespace}
\`\`\``,
  kept: `What you change in \`${starterName}\` and \`${starterPagesName}\` is put back; what the Service leads to is
yours to say.`,
};
