import { stringify } from "yaml";
import type { Answers } from "./answers.ts";
import { workflow } from "./workflow.ts";

/** The package that the project depends on. */
interface Package {
  /** Such as `0.2.0`. */
  readonly version: string;
  /** Node versions that it runs on, as in its package.json. */
  readonly node: string;
}

/** The files of a new project by path, with their text. */
export function projectFiles(name: string, answers: Answers, kubecamp: Package): Readonly<Record<string, string>> {
  return {
    "package.json": `${JSON.stringify(packageJson(name, kubecamp), null, 2)}\n`,
    "index.ts": 'export { members, pending } from "kubecamp/program";\n',
    "Pulumi.yaml": project,
    "Pulumi.dev.yaml": stackText("A stack to try things on, on the kubeconfig's current cluster.", devStack(answers)),
    "Pulumi.prod.yaml": stackText("The stack of your cluster.", prodStack(answers)),
    "members.prod.yaml": membersText(answers),
    ".gitignore": "node_modules/\n*.log\n",
    ".github/workflows/members.yml": workflow,
    "README.md": readme(name),
  };
}

const packageJson = (name: string, { version, node }: Package) => ({
  name,
  version: "0.0.0",
  private: true,
  type: "module",
  main: "index.ts",
  engines: { node },
  dependencies: { kubecamp: `^${version}` },
});

/** The project keeps its name in the state: a stack from a clone of the repository goes on in a project of one's own. */
const project = `name: kubecamp
description: An environment of their own for every person on a shared Kubernetes cluster
runtime:
  name: nodejs
  options:
    # Node itself reads TypeScript, so nothing is compiled at start.
    typescript: false
    packagemanager: npm
# Runs where a stack has buckets.
plugins:
  providers:
    - name: kubecamp-buckets
      path: node_modules/kubecamp/dist/buckets/plugin
`;

const schema = (name: string) => `# yaml-language-server: $schema=./node_modules/kubecamp/schema/${name}.schema.json\n`;

const stackText = (comment: string, config: object) =>
  `${schema("stack")}# ${comment}\n${stringify({ config }, { lineWidth: 0 })}`;

function devStack({ members }: Answers) {
  return { "kubecamp:route": { host: "camp.localhost" }, "kubecamp:members": members };
}

function prodStack({ host, controller, issuer, clientId }: Answers) {
  return {
    "kubecamp:route": { host, controller },
    ...(issuer === undefined ? {} : { "kubecamp:oidc": { issuerUrl: issuer, clientId } }),
    // A list that lacks more than these stops a run, with the names.
    "kubecamp:offboarding": { maxRemovals: 3 },
    "kubecamp:membersFile": "members.prod.yaml",
  };
}

const membersText = ({ members }: Answers) =>
  `${schema("members")}# The members of stack prod. To add one: npx kubecamp members add bob --type user --stack prod\n${stringify(members)}`;

const readme = (name: string) => `# ${name}

Environments for the members in \`members.prod.yaml\`, by kubecamp.

\`\`\`sh
npm install                   # before the first time: npm install the file of 'npm pack', which no registry has yet
npx kubecamp members check    # mistakes in the files, without a cluster
pulumi stack init prod
pulumi preview
pulumi up
npx kubecamp members          # who is on the cluster
\`\`\`

\`npm update kubecamp\` upgrades kubecamp. Then look at \`npx kubecamp report --stack prod\` before the next up.
`;
