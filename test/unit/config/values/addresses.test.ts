import assert from "node:assert/strict";
import { BlockList } from "node:net";
import fc from "fast-check";
import { blockOf, canonicalAddress, canonicalBlock, isIn } from "../../../../config/values/addresses.ts";

describe("addresses", () => {
  for (const [block, canonical] of [
    ["10.20.0.0/16", "10.20.0.0/16"],
    ["10.20.30.40/16", "10.20.0.0/16"],
    ["2001:DB8::1/32", "2001:db8::/32"],
    ["2001:db8:0:1:0:0:0:1/128", "2001:db8:0:1::1/128"],
    ["64:ff9b::10.0.0.1/128", "64:ff9b::a00:1/128"],
    ["10.0.0.0/33", undefined],
    ["10.0.0.0/08", undefined],
    ["010.0.0.0/8", undefined],
    ["10.0.0.0", undefined],
    ["::ffff:10.0.0.0/104", undefined],
    ["fe80::1%eth0/128", undefined],
  ] as const) {
    it(`reads ${canonical ?? "no block"} from ${block}`, () => {
      assert.equal(canonicalBlock(block), canonical);
    });
  }

  it("writes addresses as everybody does", () => {
    const addresses = ["169.254.20.10", "FD00::000A", "::ffff:1.2.3.4", "1.2.3", ""];
    assert.deepEqual(addresses.map(canonicalAddress), ["169.254.20.10", "fd00::a", undefined, undefined, undefined]);
    assert.deepEqual(["1.2.3.4", "fd00::a"].map(blockOf), ["1.2.3.4/32", "fd00::a/128"]);
  });

  it("tells whether an address lies in a block", () => {
    for (const [block, address, within] of [
      ["169.254.0.0/16", "169.254.169.254", true],
      ["169.254.0.0/17", "169.254.169.254", false],
      ["fd00:ec2::/32", "fd00:ec2::254", true],
      ["0.0.0.0/0", "fd00:ec2::254", false],
      ["::/0", "169.254.169.254", false],
    ] as const) {
      assert.equal(isIn(block, address), within, `${address} in ${block}`);
    }
  });

  it("finds an address in a block in whichever way it is written, and writes it its own way", () => {
    const blocks = fc.oneof(
      fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
      fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
    );
    fc.assert(
      fc.property(blocks, ([address, length]) => {
        const block = canonicalBlock(`${address}/${length}`);
        // IPv4 within IPv6.
        fc.pre(block !== undefined);
        assert.equal(canonicalBlock(block), block);
        assert.ok(isIn(block, address));
        // Nothing below its first address is in it.
        const [base = ""] = block.split("/");
        const family = base.includes(":") ? "ipv6" : "ipv4";
        const list = new BlockList();
        list.addSubnet(address, length, family);
        assert.ok(list.check(base, family));
        assert.equal(canonicalAddress(base), base);
      }),
    );
  });
});
