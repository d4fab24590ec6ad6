import assert from "node:assert/strict";
import { readCsv } from "../../../../../commands/members/import/csv.ts";

const read = (text: string) => {
  const { columns, rows, mistakes } = readCsv("r.csv", text);
  return { columns, rows: rows.map(({ line, cells }) => [line, ...cells.values()]), mistakes };
};
const messages = (text: string) => read(text).mistakes.map(({ line, message }) => `${line ?? "-"} ${message}`);

describe("a roster", () => {
  it("a roster has a header, cells without blanks around them, and perhaps empty lines", () => {
    assert.deepEqual(read(" name , email \n\nAda Lovelace, ada@x.org \n,\nBob,bob@x.org"), {
      columns: ["name", "email"],
      rows: [
        [3, "Ada Lovelace", "ada@x.org"],
        [5, "Bob", "bob@x.org"],
      ],
      mistakes: [],
    });
  });

  for (const [what, text] of [
    ["commas", "name,email\nAda,ada@x.org\n"],
    ["semicolons", "name;email\r\nAda;ada@x.org\r\n"],
    ["tabs", "name\temail\nAda\tada@x.org"],
    ["what its first line states", "sep=;\r\nname;email\r\nAda;ada@x.org\r\n"],
    ["quotes around cells", '"name";"email"\n"Ada";"ada@x.org"\n'],
  ] as const) {
    it(`a roster may have ${what}`, () => {
      const { columns, rows, mistakes } = read(text);
      assert.deepEqual(
        [columns, rows.map(([, ...cells]) => cells), mistakes],
        [["name", "email"], [["Ada", "ada@x.org"]], []],
      );
    });
  }

  it("a roster may have separators, quotes and line ends inside of quotes", () => {
    assert.deepEqual(read('"a,b,c";d\n"x;y";"say ""hi""\nthere"\n').rows, [[3, "x;y", 'say "hi"\nthere']]);
    assert.deepEqual(read('"a,b,c";d\n').columns, ["a,b,c", "d"]);
  });

  it("a roster may have lines of several ends, as a program's header over a spreadsheet's lines", () => {
    const rows = [
      [2, "1", "2"],
      [3, "3", "4"],
    ];
    for (const text of ["a,b\r\n1,2\n3,4\r\n", "a,b\n1,2\r\n3,4", "a,b\r1,2\r3,4\r"]) {
      assert.deepEqual(read(text), { columns: ["a", "b"], rows, mistakes: [] }, JSON.stringify(text));
    }
    const names = [
      [2, "ana"],
      [3, "ben"],
    ];
    assert.deepEqual(read("login\r\nana\nben\n").rows, names);
  });

  it("a roster has columns named with plain blanks, whatever blanks are there", () => {
    assert.deepEqual(read("\u00a0First\u00a0 name,e\u200bmail,\u3000\u5b66\u3000\u7c4d\n").columns, [
      "First name",
      "email",
      "学 籍",
    ]);
  });

  it("a roster is refused without a header", () => {
    assert.deepEqual(messages(""), ["- has no line with the names of its columns"]);
    assert.deepEqual(messages(",,\n"), ["- has no line with the names of its columns"]);
    assert.deepEqual(read(",,\na,b,c\n1,2,3\n").columns, ["a", "b", "c"]);
  });

  it("a roster is refused where it breaks off in its last line", () => {
    assert.deepEqual(messages("a,b\n1,2\n3"), [
      "3 has 1 of 2 cells and no line end: the file may be cut off; if it is whole, end the line",
    ]);
    assert.deepEqual([...messages("a,b\n1,2\n3\n"), ...messages("a,b\n1,2\n3,4"), ...messages("a,b")], []);
  });

  it("a roster is refused where a line has more cells than the header, or quotes don't end", () => {
    assert.deepEqual(messages("a,b\n1,2\n1,2,3\n1,2,\n"), [
      "3 has 3 cells, and the header 2; put quotes around a cell with the separator in it",
    ]);
    assert.match(messages('a,b\n"1,2\n')[0] ?? "", /^- is no CSV: Quote Not Closed/);
  });
});
