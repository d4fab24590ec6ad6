import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { csvText } from "../../../../commands/common/csv.ts";

describe("a CSV file", () => {
  it("has a header with the columns of all rows, and lines that end as RFC 4180 says", () => {
    assert.equal(
      csvText([
        { a: 1, b: null },
        { a: false, c: "x" },
      ]),
      "a,b,c\r\n1,,\r\nfalse,,x\r",
    );
  });

  it("quotes what a reader would split", () => {
    const rows = [{ "a,b": 'say "x"', c: "two\nlines", d: "plain" }];
    const [line = ""] = csvText(rows).split("\r\n");
    assert.equal(line, '"a,b",c,d');
    assert.deepEqual(parse(`${csvText(rows)}\n`, { columns: true }), rows);
  });

  it("hands a spreadsheet no formula, and leaves numbers alone", () => {
    const formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("https://x","y")'];
    const rows = formulas.map((text) => ({ text, number: -1 }));
    assert.deepEqual(
      parse(`${csvText(rows)}\n`, { columns: true }),
      formulas.map((text) => ({ text: `'${text}`, number: "-1" })),
    );
    assert.equal(csvText([{ "=x": "a=b" }]), "'=x\r\na=b\r");
  });
});
