import assert from "node:assert/strict";
import { objectKey } from "../../../../cluster/kinds/objectName.ts";
import type { ManagedObject } from "../../../../cluster/read/snapshot.ts";
import { givenObject } from "../../../../objects/givenObject.ts";
import { namespace } from "../../../../objects/namespace.ts";
import { takenObjects } from "../../../../plan/decisions/takenObjects.ts";
import { memberObjects } from "../../../../plan/manifest/manifest.ts";
import type { MemberFacts } from "../../../../plan/manifest/row.ts";
import { liveObject as live } from "../../cluster/liveService.ts";
import { configurationOf, given } from "../../deploy/stacks.ts";

describe("an object with the name of one that a member is given", () => {
  const { settings, members } = configurationOf(given);
  const member = members.find(({ name }) => name === "active-user") ?? assert.fail();
  const object = member.objects?.find(({ kind }) => kind === "StatefulSet") ?? assert.fail();
  const takenIn = (home: ManagedObject | undefined, own: ManagedObject) =>
    takenObjects(member, settings, {
      managedObjects: new Map([
        [objectKey("StatefulSet", object.name, member.name), own],
        ...(home === undefined ? [] : ([[objectKey("Namespace", member.name), home]] as const)),
      ]),
      services: new Map(),
    });
  const namesIn = (...live: Parameters<typeof takenIn>) => takenIn(...live)?.names;
  const { labels } = givenObject(object, member, settings).metadata;
  const { annotations } = namespace(member, settings).metadata;

  it("takes an object for a run's if it has the marks and the namespace says that it is given", () => {
    assert.deepEqual(namesIn(live({ annotations }), live({ labels })), []);
    assert.deepEqual(namesIn(live({ annotations }), live({ applied: "x" })), []);
    assert.deepEqual(namesIn(undefined, live({ labels })), []);
  });

  it("leaves out an object that Pulumi can't read, whosever it is", () => {
    const own = { ...live({ labels }), isMarked: true as const };
    const taken = takenIn(undefined, own);
    assert.deepEqual(taken?.names, [`StatefulSet/${object.name}`]);
    const made = memberObjects({ member, settings, takenObjects: taken } as MemberFacts).base;
    const isMade = made.some(({ part }) => part === `object/statefulset/${object.name}`);
    assert.equal(isMade, false);
  });

  it("takes an object of a given name for the member's otherwise, who can make up the marks", () => {
    const taken = [`StatefulSet/${object.name}`];
    assert.deepEqual(namesIn(live({}), live({ labels, applied: "x" })), taken);
    assert.deepEqual(namesIn(live({ annotations }), live({})), taken);
  });
});
