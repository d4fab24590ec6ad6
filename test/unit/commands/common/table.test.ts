import assert from "node:assert/strict";
import { table } from "../../../../commands/common/table.ts";

const rows = [
  ["MEMBER", "STATE", "ROUTE"],
  ["bob", "ready", "/bob"],
  ["maximiliane-von-und-zu", "suspended", "/maximiliane-von-und-zu"],
];

describe("a table", () => {
  it("a table has columns as wide as their widest cell, and no blanks at the ends of lines", () => {
    assert.equal(
      table(rows),
      `MEMBER                  STATE      ROUTE
bob                     ready      /bob
maximiliane-von-und-zu  suspended  /maximiliane-von-und-zu`,
    );
  });

  it("cuts the widest of those that may be cut, down to the terminal's width", () => {
    assert.equal(
      table(rows, { width: 40, cut: [0, 2] }),
      `MEMBER         STATE     ROUTE
bob            ready     /bob
maximiliane-v… suspended /maximiliane-v…`,
    );
  });

  it("goes on below itself in the last column, where that is asked for", () => {
    assert.equal(
      table(
        [
          ["MEMBER", "REASON"],
          ["bob", "the Service is of type NodePort"],
        ],
        { width: 30, wrapLast: true },
      ),
      `MEMBER  REASON
bob     the Service is of type
        NodePort`,
    );
  });
});
