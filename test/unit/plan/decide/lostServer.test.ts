import assert from "node:assert/strict";
import type { Member } from "../../../../config/member/member.ts";
import { namespace } from "../../../../objects/namespace.ts";
import { lostServer, obstacles } from "../../../../plan/decide/obstacles.ts";
import { refusalTexts } from "../../../../plan/words/catalogue.ts";
import { cluster, managedObject } from "../../cluster/leaving.ts";
import { settings, withBuckets } from "../../samples.ts";
import { planOf } from "../planned.ts";

const { settings: served, members } = withBuckets({ member: "ana", type: "user", buckets: [{ name: "data" }] });
const { annotations } = namespace(members[0] as Member, served).metadata;
const home = (name: string) => [`Namespace ${name}`, { ...managedObject(name), annotations }] as const;
const line =
  "ana has buckets on an S3 server, and kubecamp:storage no longer names it; set it as it was, remove the buckets from the list, " +
  "run, then remove it";

describe("settings that name no server of buckets any more", () => {
  it("stops a run without storage while members have buckets on the server", () => {
    const snapshot = cluster({ managedObjects: new Map([home("ana")]) });
    assert.deepEqual(refusalTexts(lostServer(settings, snapshot)), [line]);
    assert.ok(refusalTexts(obstacles(planOf([], settings, snapshot))).includes(line));
    const cosi = { kind: "cosi", version: "v1alpha1", bucketClassName: "a", bucketAccessClassName: "b" } as const;
    assert.deepEqual(refusalTexts(lostServer({ ...settings, storage: cosi }, snapshot)), [line]);
  });

  it("stops no run for buckets that are none, another stack's, or still the server's", () => {
    assert.deepEqual(
      refusalTexts(
        lostServer(settings, cluster({ managedObjects: new Map([["Namespace ana", managedObject("ana")]]) })),
      ),
      [],
    );
    const snapshot = cluster({ managedObjects: new Map([home("ana"), home("ben")]) });
    assert.deepEqual(refusalTexts(lostServer({ ...settings, stack: "other" }, snapshot)), []);
    assert.deepEqual(refusalTexts(lostServer(served, snapshot)), []);
  });
});
