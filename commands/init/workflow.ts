/**
 * Checks pull requests with the files alone: no cluster, no state, no secret. Actions are pinned to the versions of this
 * repository's own workflows.
 */
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
