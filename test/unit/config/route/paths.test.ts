import assert from "node:assert/strict";
import { mistakesOfMembers } from "../../samples.ts";

const user = (member: string, route?: object | false) => ({
  member,
  type: "user",
  ...(route === undefined ? {} : { route }),
});

describe("public paths", () => {
  it("takes public paths that begin alike as two", () => {
    assert.deepEqual(
      mistakesOfMembers(user("bob"), user("bobby"), user("ali", { path: "/ali-b" }), user("ali-b", { path: "/a" })),
      [],
    );
  });

  it("refuses public paths that are one, or lie within another, of the member who chose theirs", () => {
    const members = [
      ...[user("bob", { path: "/alice" }), user("alice"), user("dora", { path: "/alice/dora" })],
      ...[user("erin", { path: "/lab/erin" }), user("fay", { path: "/lab" }), user("guy", { path: "/lab" })],
    ];
    assert.deepEqual(mistakesOfMembers(...members), [
      "members[0].route.path: \"camp.example.org/alice\" is the path of members[1] (alice); paths must be apart (member 'bob')",
      "members[2].route.path: \"camp.example.org/alice/dora\" lies within the path of members[1] (alice); paths must be apart (member 'dora')",
      "members[4].route.path: \"camp.example.org/lab\" contains the path of members[3] (erin); paths must be apart (member 'fay')",
      "members[5].route.path: \"camp.example.org/lab\" is the path of members[4] (fay); paths must be apart (member 'guy')",
    ]);
  });

  it("compares public paths on one host alone, and no closed ones", () => {
    const apart = ["bob", "dora"].map((name) => user(name, { host: `${name}.example.org`, path: "/x" }));
    const closed = [user("erin", false), user("fay", { path: "/erin" })];
    const guy = user("guy", { host: "bob.example.org", path: "/x/y" });
    assert.deepEqual(mistakesOfMembers(...apart, ...closed, guy), [
      "members[4].route.path: \"bob.example.org/x/y\" lies within the path of members[0] (bob); paths must be apart (member 'guy')",
    ]);
  });

  it("tells of the host where that is what a member has of their own", () => {
    const [dora, x] = [user("dora", { path: "/x", host: "d.example.org" }), user("x", { host: "d.example.org" })];
    assert.deepEqual(mistakesOfMembers(user("bob"), dora, x), [
      "members[2].route.host: \"d.example.org/x\" is the path of members[1] (dora); paths must be apart (member 'x')",
    ]);
  });

  it("makes up no conflict of public paths for a member whose route is wrong", () => {
    assert.deepEqual(mistakesOfMembers(user("bob", { path: "x" }), user("dora", { path: "/bob" })), [
      "members[0].route.path: \"x\" must be a path such as /bob: '/', then a-z, 0-9, '-', '.' and '_'; or / on a host of the member's own (member 'bob')",
    ]);
  });

  it("keeps public paths to suspended members", () => {
    assert.deepEqual(mistakesOfMembers({ ...user("bob"), suspended: true }, user("dora", { path: "/bob" })), [
      "members[1].route.path: \"camp.example.org/bob\" is the path of members[0] (bob); paths must be apart (member 'dora')",
    ]);
  });
});
