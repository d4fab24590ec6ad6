import assert from "node:assert/strict";
import { readStack } from "../../../../commands/common/stackFile.ts";
import { stackFiles } from "../../../../watch/manifests/printManifests.ts";
import { project, useFolder } from "../../testFolder.ts";

describe("the files of a stack for its Pod", () => {
  const folder = useFolder(project);
  const taken = () => stackFiles("prod", readStack("prod", folder.path).source, folder.path);

  it("takes the files that the settings name for the Pod, in their folders, and no others", () => {
    const files = {
      ...project,
      "Pulumi.prod.yaml": `config:
  kubecamp:route: { host: apps.example.org, controller: ingress-nginx }
  kubecamp:membersFile: lists/members.yaml
  kubecamp:starter: { pagesFolder: pages }
  kubecamp:objects: [{ file: objects/course.yaml }]
`,
      "lists/members.yaml": "- { member: bob, type: user }\n",
      "pages/index.md": "# Hello\n",
      "objects/course.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: course }\n",
    };
    folder.write({ ...files, "Pulumi.dev.yaml": "config: {}\n", "notes.txt": "mine\n" });
    assert.deepEqual(Object.fromEntries(taken()), files);
  });

  it("takes the family's files for a shard's Pod too", () => {
    const files = {
      ...project,
      "Pulumi.prod.yaml":
        "config:\n  kubecamp:route: { host: apps.example.org, controller: ingress-nginx }\n  kubecamp:members: []\n  kubecamp:shards: 2\n",
      "Pulumi.prod-0.yaml": "config:\n  kubecamp:shardOf: prod\n",
    };
    folder.write({ ...files, "Pulumi.prod-1.yaml": "config:\n  kubecamp:shardOf: prod\n" });
    const shard = stackFiles("prod-0", readStack("prod-0", folder.path).source, folder.path);
    assert.deepEqual(Object.fromEntries(shard), files);
  });

  it("refuses files for the Pod that a ConfigMap can't hold", () => {
    const members = `${"# a long comment\n".repeat(70_000)}- { member: bob, type: user }\n`;
    folder.write({
      "Pulumi.prod.yaml":
        "config:\n  kubecamp:route: { host: apps.example.org, controller: ingress-nginx }\n  kubecamp:membersFile: members.yaml\n",
      "members.yaml": members,
    });
    assert.throws(
      taken,
      /The stack's files have 1190\d{3} bytes, and a ConfigMap holds 1000000\. Split the list into shards/,
    );
  });
});
