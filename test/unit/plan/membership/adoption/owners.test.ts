import assert from "node:assert/strict";
import { objectKey } from "../../../../../cluster/kinds/objectName.ts";
import type { OwnedObject } from "../../../../../cluster/read/snapshot.ts";
import { takeOffOwners } from "../../../../../components/adopt.ts";
import { givenOwners, ownedByOthers } from "../../../../../plan/membership/adoption/owners.ts";
import { json, useApiServer } from "../../../cluster/fakeApiServer.ts";
import { ann, operators } from "../../../cluster/operators.ts";
import { settings } from "../../../samples.ts";
import { planOf, textOf } from "../../planned.ts";

describe("owners", () => {
  const owners = [{ apiVersion: "crds.yadiary.net/v1", kind: "Members", name: "kubecamp-ann", uid: "5" }];
  const owned = (kind: OwnedObject["kind"], name: string, namespace?: string): OwnedObject => ({
    kind,
    name,
    namespace,
    uid: `uid-${name}`,
    owners,
  });
  const limits = owned("LimitRange", "default-limits", "ann");
  const view = owned("ClusterRole", "kubecamp:dev:view");
  const all = [limits, view, owned("Role", "members-role", "ann"), owned("Namespace", "zoe")];
  const snapshot = {
    managedObjects: operators.managedObjects,
    services: operators.services,
    owned: new Map(all.map((it) => [objectKey(it.kind, it.name, it.namespace), it])),
  };

  it("takes owners off what the run declares, with adopt or without, and off nothing else", () => {
    for (const adopt of [true, false]) {
      assert.deepEqual(ownedByOthers(planOf([{ ...ann, adopt }], settings, snapshot)), [view, limits]);
    }
  });

  it("tells of owners in one warning, with what they own", () => {
    assert.equal(
      textOf(givenOwners([view, limits])),
      "Owner references, removed by 'pulumi up' so that nothing is deleted together with its owner. If a later run\n" +
        "names them again, something restores them: stop that first (is the Members operator still running?).\n" +
        "  Members 'kubecamp-ann': ClusterRole kubecamp:dev:view, LimitRange ann/default-limits",
    );
    assert.equal(textOf(givenOwners([])), undefined);
  });

  describe("on the API server", () => {
    const server = useApiServer();

    it("tells which owners can't be taken off, and why, and takes the others off", async () => {
      server.answers("default-limits", json({ message: "limitranges is forbidden" }, 403));
      const other = encodeURIComponent(view.name);
      server.answers(other, json({}));
      const told = textOf(await takeOffOwners([limits, view], settings)) ?? "";
      assert.match(
        told,
        /^LimitRange ann\/default-limits is not as it should be: Can't take the owner references off LimitRange ann\/default-limits, which is deleted with its owner, on the API server \S+: 403 limitranges is forbidden\n/,
      );
      assert.deepEqual(server.asked.sort(), ["default-limits", other]);
    });
  });
});
