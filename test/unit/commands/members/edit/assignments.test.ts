import assert from "node:assert/strict";
import { assigned, assignmentOf, fieldPath, typedValue } from "../../../../../commands/members/edit/assignments.ts";

const today = "2026-11-26";

describe("a value for a member's key", () => {
  for (const [text, value] of [
    ["maxCPUm=500", 500],
    ["labels.course=101", "101"],
    ["labels.note=", ""],
    ["subject=a=b", "a=b"],
    ["subject=x,y@example.org", "x,y@example.org"],
    ["suspended=true", true],
    ["route=false", false],
    ["route.path=/x", "/x"],
    ["groups=class-a, class-b", ["class-a", "class-b"]],
    ['groups=["a,b"]', ["a,b"]],
    ["groups=CN=cs101,OU=Groups,DC=example,DC=org", ["CN=cs101,OU=Groups,DC=example,DC=org"]],
    ["groups=cn=Doe\\, Jo,dc=x; 2.5.4.3=b,DC=x", ["cn=Doe\\, Jo,dc=x", "2.5.4.3=b,DC=x"]],
    ["groups=CN=a,DC=x,class-b", "CN=a,DC=x,class-b"],
    ["groups=role=a,role=b", ["role=a", "role=b"]],
    ["buckets=[{ name: data }]", [{ name: "data" }]],
    ["expires=2027-01-31", "2027-01-31"],
    ["expires=+36d", "2027-01-01"],
    ["starter=once", "once"],
  ] as const) {
    it(`a value is typed by the schema: ${text}`, () => {
      assert.deepEqual(assignmentOf(text, today)?.value, value);
    });
  }

  it("stays as YAML reads it where the schema refuses it, for the check to report", () => {
    assert.equal(typedValue(["maxCPUm"], "lots", today), "lots");
    assert.equal(typedValue(["maxCPUm"], "-5", today), -5);
    assert.equal(typedValue(["labels", "number"], "2.02312E+11", today), "2.02312E+11");
    assert.equal(typedValue(["maxCPUm"], "1e3", today), 1000);
    assert.equal(typedValue(["nonsense"], "{ a: [", today), "{ a: [");
  });

  it("a value has a path of keys, and all after 'labels.' is one", () => {
    assert.deepEqual(fieldPath("route.host"), ["route", "host"]);
    assert.deepEqual(fieldPath("labels.example.org/course"), ["labels", "example.org/course"]);
    assert.deepEqual(fieldPath("labels"), ["labels"]);
  });

  it("goes into an entry, beside what is there; a map that loses its last key goes too", () => {
    const bob = { member: "bob", labels: { course: "cs101" } };
    const path = ["labels", "team"];
    const red = assigned(bob, [{ path, value: "red" }]);
    assert.deepEqual(red, { member: "bob", labels: { course: "cs101", team: "red" } });
    assert.deepEqual(assigned(red, [{ path, value: undefined }]), bob);
    assert.deepEqual(assigned(bob, [{ path: ["labels", "course"], value: undefined }]), { member: "bob" });
    assert.deepEqual(assigned(bob, [{ path: ["type"], value: "user" }]), { ...bob, type: "user" });
  });
});
