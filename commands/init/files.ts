import { stringify } from "yaml";
import type { Answers } from "./answers.ts";

interface Package {
  readonly version: string;
  readonly node: string;
}

export function projectFiles(name: string, answers: Answers, kubecamp: Package): Readonly<Record<string, string>> {
  return {
    "package.json": `${JSON.stringify(packageJson(name, kubecamp), null, 2)}\n`,
    "index.ts": 'export { members, pending } from "kubecamp/program";\n',
    "Pulumi.yaml": project,
    "Pulumi.dev.yaml": stackText(
      "A stack to try things on. The sandbox has its controller's namespace, but no controller.",
      devStack(answers),
    ),
    "Pulumi.prod.yaml": stackText("The stack of your cluster.", prodStack(answers)),
    "members.prod.yaml": membersText(answers),
    ".gitignore": "node_modules/\n*.log\n/board*.html\n/invitations/\n",
    ".github/workflows/members.yml": workflow,
    "README.md": readme(name, kubecamp),
  };
}

const packageJson = (name: string, { version, node }: Package) => ({
  name,
  version: "0.0.0",
  private: true,
  type: "module",
  main: "index.ts",
  engines: { node },
  // As the workflows that come with the package call it.
  scripts: { kubecamp: "kubecamp" },
  // kubecamp is in no registry yet: a package of that name there would be somebody else's.
  dependencies: { kubecamp: `file:${tarball({ version })}` },
  // npm asks about scripts that it is not told of. None of these is needed.
  allowScripts: { "@pulumi/kubernetes": false, kubecamp: false, protobufjs: false },
});

const tarball = ({ version }: Pick<Package, "version">) => `kubecamp-${version}.tgz`;

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
  return { "kubecamp:route": { host: "camp.localhost", controller: "ingress-nginx" }, "kubecamp:members": members };
}

function prodStack({ host, route, issuer, clientId }: Answers) {
  return {
    "kubecamp:route": { host, ...route },
    ...(issuer === undefined ? {} : { "kubecamp:oidc": { issuerUrl: issuer, clientId } }),
    // A list that lacks more than these, or anybody who is protected, stops a run, with the names.
    "kubecamp:offboarding": { maxRemovals: 3, protect: true },
    "kubecamp:membersFile": "members.prod.yaml",
  };
}

const membersText = ({ members }: Answers) =>
  `${schema("members")}# The members of stack prod. To add one: npx kubecamp members add bob --type user --stack prod\n${stringify(members)}`;

const readme = (name: string, kubecamp: Package) => `# ${name}

Environments for the members in \`members.prod.yaml\`, by kubecamp. You need Node ${kubecamp.node.replace(">=", "")} or later, and Pulumi.

## Before the first time

kubecamp is in no registry yet. Put \`${tarball(kubecamp)}\` into this folder: \`npm pack\` makes it in a clone of kubecamp's
repository. Commit it, and the \`package-lock.json\` that npm writes.

\`\`\`sh
npm install
npx kubecamp members check            # mistakes in the files, without a cluster
\`\`\`

## Try it on this machine

The members of this stack are in \`Pulumi.dev.yaml\`.

\`\`\`sh
npx kubecamp sandbox up               # a cluster of your own; on Linux alone
eval "$(npx kubecamp sandbox env)"    # this shell works on it
pulumi stack init dev
pulumi up --stack dev
npx kubecamp members --stack dev
npx kubecamp sandbox down
\`\`\`

## On your cluster

In a new shell, with the cluster's kubeconfig, and after \`pulumi login\`:

\`\`\`sh
pulumi stack init prod
npx kubecamp preview --stack prod
npx kubecamp up --stack prod
npx kubecamp members --stack prod     # who is on the cluster
\`\`\`

To add a member: \`npx kubecamp members add bob --type user --stack prod\`, then \`npx kubecamp up --stack prod\`.

## Upgrade kubecamp

Put the newer file into this folder:

\`\`\`sh
npm install ./kubecamp-NEWER.tgz
npx kubecamp report --stack prod --fail-on removal,replacement    # exit code 3: the next up would remove a member or replace an object
npx kubecamp up --stack prod
\`\`\`
`;

/** Checks pull requests with the files alone. Actions are pinned to the versions of this repository's workflows. */
export const workflow: string = `name: members
on:
  pull_request:

permissions:
  contents: read

jobs:
  check:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with:
          node-version: "24"
          package-manager-cache: false
      - run: npm ci --ignore-scripts
      - run: npx kubecamp members check
`;
